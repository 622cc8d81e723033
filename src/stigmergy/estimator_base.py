# SPDX-License-Identifier: MIT
"""What learners need of scikit-learn's base class, for when it is not installed."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any, Self


class BaseEstimator:
    """Parameters of the constructor, read and set by name."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the constructor by name."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor."""
        for name, value in params.items():
            if name not in self._get_param_names():
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {type(self).__name__}. "
                    f"Valid parameters are: {self._get_param_names()!r}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        signature = inspect.signature(type(self).__init__)
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not signature.parameters[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        return SimpleNamespace(input_tags=SimpleNamespace(), target_tags=SimpleNamespace())
