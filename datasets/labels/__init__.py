"""What lies in the photos: training labels and the truth to measure against."""
