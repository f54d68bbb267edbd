"""Measures the product on photos and clips whose content is known."""
