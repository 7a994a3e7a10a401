from hots_rules.draw.film import film as film
from hots_rules.draw.picture import draw as draw
from hots_rules.draw.position_table import page as page
