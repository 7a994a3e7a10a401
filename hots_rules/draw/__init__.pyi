from hots_rules.draw.boards import board_of as board_of
from hots_rules.draw.effects import effects_on_board as effects_on_board
from hots_rules.draw.films import film as film
from hots_rules.draw.picture import draw as draw
from hots_rules.draw.position_table import page as page
from hots_rules.draw.positions import targets_of as targets_of
from hots_rules.draw.text_boards import TextBoard as TextBoard
from hots_rules.draw.text_boards import text_board as text_board
