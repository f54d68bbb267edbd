"""Many photos: read by several processes of this machine (`processes`) or of several (`cluster`), written so that a run resumes."""
