from hots_rules.draw.board.boards import board_of as board_of
from hots_rules.draw.picture.films import film as film
from hots_rules.draw.picture.page import draw as draw
from hots_rules.draw.scene.effects import effects_on_board as effects_on_board
from hots_rules.draw.scene.position_table import page as page
from hots_rules.draw.scene.positions import targets_of as targets_of
from hots_rules.draw.text.boards import TextBoard as TextBoard
from hots_rules.draw.text.boards import text_board as text_board
