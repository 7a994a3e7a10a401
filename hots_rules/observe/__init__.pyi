from hots_rules.observe.preview import Effect as Effect
from hots_rules.observe.preview import Preview as Preview
from hots_rules.observe.view import Stack as Stack
from hots_rules.observe.view import View as View
from hots_rules.play.trace import Step as Step
