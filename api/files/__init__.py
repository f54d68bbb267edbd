"""Files of the person who runs Muggins: photos found, records and pictures written, never over anything that is there."""
