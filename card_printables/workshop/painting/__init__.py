"""The painter of the cloud pictures: bones, puffs, light and sky. Only `paint_clouds` needs it; the
product ships its work."""
