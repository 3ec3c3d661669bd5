"""What several commands say, ask and open; none of these is a command of its own."""
