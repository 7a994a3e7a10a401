"""The description of all requests and answers, from which clients are generated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Schema, Server
from litestar.plugins.attrs import AttrsSchemaPlugin
from litestar.types import Method
from litestar.typing import FieldDefinition

import hots_rules as hr

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator


class StrictBodies(AttrsSchemaPlugin):
    """Bodies of requests have no other fields than those that are described."""

    def to_openapi_schema(
        self, field_definition: FieldDefinition, schema_creator: SchemaCreator
    ) -> Schema:
        """The schema of a body, which is closed."""
        schema = super().to_openapi_schema(field_definition, schema_creator)
        schema.additional_properties = False
        return schema


def description(root_path: str) -> OpenAPIConfig:
    """How the table is described, as it stands below a path."""
    return OpenAPIConfig(
        title="hots_rules table",
        version=hr.__version__,
        servers=[Server(url=root_path or "/")],
        path="/api",
        use_handler_docstrings=True,
        operation_id_creator=_operation_name,
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    )


def _operation_name(handler: HTTPRouteHandler, _: Method, __: Sequence[object]) -> str:
    """The name of a route in the description: that of its function, as JavaScript writes names."""
    first, *others = handler.handler_name.split("_")
    return first + "".join(word.title() for word in others)
