"""
Makes the fonts of share pictures, server/sharing/pictures/fonts/<family>/<part>-<weight>.woff, from packages of Fontsource.
Needs npm and fonttools (apt-get install python3-fonttools): /usr/bin/python3 scripts/makeFonts.py
server/sharing/pictures/families.ts names the families in the order in which a letter is looked up in them.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from fontTools.merge import Merger, Options
from fontTools.ttLib import TTFont

VERSION = "5.3.0"

# Their parts, such as latin and vietnamese, stay files of their own.
WITH_LATIN = {"anybody": [800], "instrument-sans": [500, 700], "noto-sans": [700, 800], "noto-sans-math": [400]}
WITH_LATIN |= {"dejavu-sans": [700], "unifont": [400]}

# Letters of other families draw their Latin.
SYMBOLS = {"noto-sans-symbols": 700, "noto-sans-symbols-2": 400, "noto-music": 400}

# One file has the letters of the script. Those of Javanese also adorn names.
SCRIPTS = """arabic armenian bengali ethiopic georgian gujarati gurmukhi hebrew javanese kannada khmer lao malayalam meetei-mayek
myanmar ol-chiki oriya sinhala tamil telugu thai tibetan""".split()

# A hundred slices, each for a page of the web, become one file. Only the slices have the rare characters.
SLICED = {"biz-udpgothic": 700, "nanum-gothic": 800, "noto-sans-sc": 700, "chocolate-classical-sans": 400}

# What only layout needs: these scripts are drawn character by character.
UNUSED = ["BASE", "GDEF", "GPOS", "GSUB", "STAT", "gasp", "kern", "meta", "vhea", "vmtx"]

FONTS = Path(__file__).parent.parent / "server/sharing/pictures/fonts"


def main():
    shutil.rmtree(FONTS, ignore_errors=True)
    for name, weights in WITH_LATIN.items():
        copy(name, lambda part, weight: weight in weights and not part.isdigit())
    for name, used in SYMBOLS.items():
        copy(name, lambda part, weight: weight == used and part not in ("latin", "latin-ext"))
    for script in SCRIPTS:
        name = f"noto-{'serif' if script == 'tibetan' else 'sans'}-{script}"
        copy(name, lambda part, weight: weight == 700 and part == script)
    for name, used in SLICED.items():
        merge(name, used)


def copy(name, is_used):
    with package(name) as folder:
        for file, part, weight in files_of(folder, name):
            if is_used(part, weight):
                shutil.copy(file, target(folder, name) / f"{part}-{weight}.woff")


def merge(name, used):
    with package(name) as folder:
        slices = [file for file, part, weight in files_of(folder, name) if part.isdigit() and weight == used]
        for number, file in enumerate(slices):
            font = TTFont(file)
            font.flavor = None
            font.save(Path(folder) / f"{number}.ttf")
        merger = Merger(options=Options(drop_tables=UNUSED))
        whole = merger.merge([str(Path(folder) / f"{number}.ttf") for number in range(len(slices))])
        whole.flavor = "woff"
        whole.save(target(folder, name) / f"all-{used}.woff")


def package(name):
    folder = tempfile.TemporaryDirectory()
    run = ["npm", "pack", "--silent", "--pack-destination", folder.name, f"@fontsource/{name}@{VERSION}"]
    archive = subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()
    shutil.unpack_archive(f"{folder.name}/{archive}", folder.name)
    return folder


def files_of(folder, name):
    """The files of upright fonts, with the part of the family (a number for a slice) and the weight."""
    for file in sorted(Path(folder, "package/files").glob(f"{name}-*-normal.woff")):
        part, weight = re.fullmatch(rf"{name}-(.+)-(\d+)-normal", file.stem).groups()
        yield file, part, int(weight)


def target(folder, name):
    """The family's folder, with its licence."""
    place = FONTS / name
    place.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(folder, "package/LICENSE"), place)
    return place


main()
