"""The inverse of a camera: flat sheets and a camera model in, the picture out."""
