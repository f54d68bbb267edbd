"""The labels of photos: for training, and as ground truth for evaluation."""
