"""Objects out of JSON, by the types of their fields.

**Model.** A field `limit: Time` is read from the key `limit_ns`, any other from the key of its
name. Keys without a field are left out: within one version of a format keys may be added, none is
removed.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from .time import Time

T = TypeVar("T")


def read(cls: type[T], data: Mapping[str, Any]) -> T:
    """An object of a frozen dataclass out of an object of JSON."""
    types_ = get_type_hints(cls)
    fields = {}
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        wanted = types_[field.name]
        key = field.name + "_ns" if _is_time(wanted) else field.name
        fields[field.name] = _value(wanted, data[key])
    return cls(**fields)


def _is_time(wanted: Any) -> bool:
    return wanted is Time or (_is_union(wanted) and Time in get_args(wanted))


def _is_union(wanted: Any) -> bool:
    return get_origin(wanted) in (Union, types.UnionType)


def _value(wanted: Any, data: Any) -> Any:
    if _is_union(wanted):
        if data is None:
            return None
        wanted = next(option for option in get_args(wanted) if option is not type(None))
    if wanted is Time:
        return Time(data)
    if get_origin(wanted) is tuple:
        return tuple(_value(get_args(wanted)[0], item) for item in data)
    if get_origin(wanted) is Mapping:
        of = get_args(wanted)[1]
        return types.MappingProxyType({key: _value(of, item) for key, item in data.items()})
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted(data)
    if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
        return read(wanted, data)
    return data
