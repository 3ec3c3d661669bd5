"""What do hands and cards do, and when? The evening acted out, before anything is drawn."""
