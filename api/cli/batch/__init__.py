"""Many photos: read by processes of this machine (`processes`) or of several (`cluster`), into results that a run resumes."""
