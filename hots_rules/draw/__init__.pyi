from hots_rules.draw.picture import draw as draw
