"""Reads many photos with processes of this machine (`processes`) or a cluster (`cluster`), with results that a run resumes."""
