echo inside
