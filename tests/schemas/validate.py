# SPDX-License-Identifier: GPL-3.0-or-later
"""The schemas of tools/schemas/ with Debian's python3-jsonschema, as the checks here use them."""

import glob
import json
import os
import subprocess
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # Debian 13 has another resolver as well
import jsonschema  # noqa: E402

SCHEMAS = os.path.abspath(os.environ.get("SCHEMAS", "tools/schemas"))
PROGRAM = os.environ.get("DEALPROOF", "build/dealproof")


class Schemas:
    """Every schema, loaded once; what one names of another is found among them."""

    def __init__(self):
        self.documents = {}
        for path in sorted(glob.glob(SCHEMAS + "/*.schema.json")):
            with open(path, encoding="utf-8") as file:
                self.documents["file://" + path] = json.load(file)
        self.validators = {}

    def names(self):
        return [os.path.basename(url)[: -len(".schema.json")] for url in self.documents]

    def errors(self, name, value):
        """Sentences about what is wrong with a value; none where it is as the schema says."""
        if name not in self.validators:
            url = f"file://{SCHEMAS}/{name}.schema.json"
            schema = self.documents[url]
            resolver = jsonschema.RefResolver(url, schema, store=self.documents)
            self.validators[name] = jsonschema.Draft7Validator(schema, resolver=resolver)
        return [
            "/".join(map(str, error.absolute_path)) + ": " + error.message[:300]
            for error in self.validators[name].iter_errors(value)
        ]


class Findings:
    def __init__(self):
        self.count = 0
        self.tried = 0

    def hold(self, condition, sentence):
        self.tried += 1
        if not condition:
            self.count += 1
            print(sentence)

    def end(self, at_least):
        self.hold(self.tried >= at_least, f"only {self.tried} of {at_least} were tried")
        print(f"{self.tried} tried, {self.count} wrong")
        sys.exit(self.count > 0)


def lines(path):
    """The values of JSON Lines, with their numbers."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            yield number, json.loads(line)


def values(text):
    """The values of JSON Lines, or of one document on several lines."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def run(*arguments, given="", timeout=60):
    """What the program prints, says and exits with."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], input=given, capture_output=True, text=True, timeout=timeout, check=False
    )
