"""The practice table: a camera whose evening is scripted and whose truth is known. Knows everything
but the clock."""
