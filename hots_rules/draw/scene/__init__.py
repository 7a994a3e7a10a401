"""What a picture shows, as plain data taken from a view: pieces, statuses, battles, last moves."""
