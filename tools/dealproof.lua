-- SPDX-License-Identifier: GPL-3.0-or-later
-- A Wireshark dissector for the captures that dealproof writes (link type USER0, see hal/link/tap.h).
-- Use:  wireshark -X lua_script:tools/dealproof.lua FILE
--
-- A packet holds the bytes of one read or write, so frames are put together over packets, for each
-- channel and direction. Our frames are COBS, ended by a zero byte, with a CRC-16; those of an Angel
-- Eye shoe begin with ENQ or STX and end with ETX and a block check; those of GAT have a length and a
-- CRC-16 and no mark, so that after a damaged one the rest of its packet is dropped. Each message is shown as
-- 'dealproof decode' tells it, each of its fields can be filtered on (dealproof.card == "As",
-- dealproof.seat == 3), and an answer leads to its question and has the time since then
-- (dealproof.after > 0.1). What does not add up is flagged as expert information: filter with
-- dealproof.error.

local bxor = bit32 and bit32.bxor or bit and bit.bxor or
             load("return function(a, b) return a ~ b end")()

local dealproof = Proto("dealproof", "dealproof capture")
local angel_eye = Proto("angeleye", "Angel Eye shoe")
local gat = Proto("dealproofgat", "GAT as spoken by GatHost")

local RAW, OURS, ANGEL, GAT = 0, 1, 2, 3
local TO_DEVICE, FROM_DEVICE, ABOUT, LINES, NOTE, GAP = 0, 1, 2, 3, 4, 5
local LONGEST_FRAME = 4096
local ENQ, STX, ETX, ACK, NAK = 0x05, 0x02, 0x03, 0x06, 0x15

local directions = {[0] = "to the device", "from the device", "about the channel", "modem lines",
                    "a note", "a gap"}
local protocols = {[RAW] = "raw bytes", [OURS] = "dealproof", [ANGEL] = "Angel Eye", [GAT] = "GAT"}
local line_names = {{1, "RTS"}, {2, "DTR"}, {4, "CTS"}, {8, "DSR"}, {16, "DCD"}, {32, "RI"}}

-- The messages of devices/PROTOCOL.md by class and type, and those that PROTOCOL-2.md has otherwise: name, then what a request or an event holds
-- and what a reply does. A field is its name, its kind, and the bytes of a number, the names of its
-- values or the fields of a group; `counts` names the number that says how many there are, and with
-- `on` it is there if (or unless) that number has that value, or if any bytes are left.

-- Made from the tables of devices/ by `make dissector`; a test holds it to them.
local refusals = {
    [0] = "none",
    [1] = "unknown request",
    [2] = "wrong length",
    [3] = "value out of range",
    [4] = "not in this state",
    [5] = "an error is pending",
    [6] = "busy",
    [7] = "authorization missing or wrong",
    [8] = "only in test mode",
}
local layouts = {
    [1] = {name = "shuffler", messages = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
            },
        },
        [0x02] = {
            "IDENTITY",
            reply = {
                {"model", "text"},
                {"serial", "text"},
                {"firmware", "text"},
                {"digest", "hex", 32},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "shuffling", [3] = "ready", [4] = "dealing", [5] = "present", [6] = "waiting", [7] = "error"}},
                {"error", "named", {[0] = "none", [1] = "jam", [2] = "misread card", [3] = "missing card", [4] = "extra card", [5] = "duplicate card", [6] = "door open", [7] = "cover open", [8] = "power lost"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"presented", "number", 1},
                {"taken", "number", 1},
                {"left", "number", 1},
                {"shuffle", "number", 2},
                {"program", "named", {[0] = "custom", [1] = "Flush Rush", [2] = "3 Card Catch", [3] = "Chase the Flush"}},
                {"packets", "number", 1},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[64] = "shuffled", [65] = "packet present", [66] = "packet taken", [67] = "fault", [68] = "fault cleared", [69] = "test mode", [70] = "power up", [71] = "green button"}},
                    {"detail", "number", 1},
                    {"more", "number", 2},
                }, counts = "count"},
            },
        },
        [0x05] = {
            "CLEAR ERROR",
            fields = {
                {"error", "named", {[0] = "none", [1] = "jam", [2] = "misread card", [3] = "missing card", [4] = "extra card", [5] = "duplicate card", [6] = "door open", [7] = "cover open", [8] = "power lost"}},
            },
        },
        [0x10] = {
            "PROGRAM",
            fields = {
                {"program", "named", {[0] = "custom", [1] = "Flush Rush", [2] = "3 Card Catch", [3] = "Chase the Flush"}},
                {"hands", "number", 1},
                {"burn", "number", 1},
                {"count", "number", 1, when = "if", on = "program", value = 0},
                {"sizes", "numbers", counts = "count", when = "if", on = "program", value = 0},
            },
            reply = {
                {"packets", "number", 1},
                {"draws", "number", 1},
            },
        },
        [0x11] = {
            "SHUFFLE",
            reply = {
                {"shuffle", "number", 2},
            },
        },
        [0x12] = {
            "GREEN BUTTON",
        },
        [0x13] = {
            "RETURN DECK",
        },
        [0x14] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
            reply = {
                {"on", "truth"},
                {"shuffle", "number", 2},
            },
        },
        [0x15] = {
            "LOAD ORDER",
            fields = {
                {"cards", "cards"},
            },
            reply = {
                {"shuffle", "number", 2},
            },
        },
        [0x40] = {
            "SHUFFLED",
            fields = {
                {"counted", "number", 1, must = 52},
                {"shuffle", "number", 2},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded"}},
            },
        },
        [0x41] = {
            "PACKET PRESENT",
            fields = {
                {"index", "number", 1},
                {"size", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded"}},
                {"cards", "cards", counts = "size"},
            },
        },
        [0x42] = {
            "PACKET TAKEN",
            fields = {
                {"index", "number", 1},
            },
        },
        [0x43] = {
            "FAULT",
            fields = {
                {"error", "named", {[0] = "none", [1] = "jam", [2] = "misread card", [3] = "missing card", [4] = "extra card", [5] = "duplicate card", [6] = "door open", [7] = "cover open", [8] = "power lost"}},
                {"detail", "number", 1},
            },
        },
        [0x44] = {
            "FAULT CLEARED",
            fields = {
                {"error", "named", {[0] = "none", [1] = "jam", [2] = "misread card", [3] = "missing card", [4] = "extra card", [5] = "duplicate card", [6] = "door open", [7] = "cover open", [8] = "power lost"}},
            },
        },
        [0x45] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
        },
        [0x46] = {
            "POWER UP",
            fields = {
                {"state", "named", {[1] = "idle", [2] = "shuffling", [3] = "ready", [4] = "dealing", [5] = "present", [6] = "waiting", [7] = "error"}},
                {"error", "named", {[0] = "none", [1] = "jam", [2] = "misread card", [3] = "missing card", [4] = "extra card", [5] = "duplicate card", [6] = "door open", [7] = "cover open", [8] = "power lost"}},
                {"presented", "number", 1},
                {"taken", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
            },
        },
        [0x47] = {
            "GREEN BUTTON",
            fields = {
                {"refusal", "named", {[0] = "none", [1] = "unknown request", [2] = "wrong length", [3] = "value out of range", [4] = "not in this state", [5] = "an error is pending", [6] = "busy", [7] = "authorization missing or wrong", [8] = "only in test mode"}},
            },
        },
    }, second = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
                {"spare", "hex", 3},
                {"capabilities", "flags", {[0] = "test mode", [1] = "log", [2] = "wall clock", [3] = "vendor messages", [4] = "draws", [5] = "two decks", [6] = "configuration"}},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "shuffling", [3] = "ready", [4] = "dealing", [5] = "present", [6] = "waiting", [7] = "error"}},
                {"error", "named", {[0] = "none", [1] = "jam", [2] = "misread card", [3] = "missing card", [4] = "extra card", [5] = "duplicate card", [6] = "door open", [7] = "cover open", [8] = "power lost"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"presented", "number", 1},
                {"taken", "number", 1},
                {"left", "number", 1},
                {"shuffle", "number", 4},
                {"draws", "number", 1},
                {"packets", "number", 1},
                {"log-entries", "number", 4},
                {"log-digest", "hex", 32},
                {"clock", "number", 8},
                {"wall-clock", "number", 8},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[64] = "shuffled", [65] = "packet present", [66] = "packet taken", [67] = "fault", [68] = "fault cleared", [69] = "test mode", [70] = "power up", [71] = "green button"}},
                    {"detail", "number", 1},
                    {"more", "number", 4},
                }, counts = "count"},
            },
        },
        [0x06] = {
            "BYE",
        },
        [0x10] = {
            "PROGRAM",
            fields = {
                {"burn", "number", 1},
                {"draws", "number", 1},
                {"count", "number", 1},
                {"sizes", "numbers", counts = "count"},
            },
            reply = {
                {"packets", "number", 1},
                {"draws", "number", 1},
            },
        },
        [0x11] = {
            "SHUFFLE",
            reply = {
                {"shuffle", "number", 4},
            },
        },
        [0x14] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
            reply = {
                {"on", "truth"},
                {"shuffle", "number", 4},
            },
        },
        [0x15] = {
            "LOAD ORDER",
            fields = {
                {"deck", "number", 1},
                {"cards", "cards"},
            },
            reply = {
                {"shuffle", "number", 4},
                {"deck", "number", 1},
            },
        },
        [0x40] = {
            "SHUFFLED",
            fields = {
                {"counted", "number", 1, must = 52},
                {"shuffle", "number", 4},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded"}},
                {"deck", "number", 1},
            },
        },
        [0x41] = {
            "PACKET PRESENT",
            fields = {
                {"index", "number", 1},
                {"size", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded"}},
                {"deck", "number", 1},
                {"cards", "cards", counts = "size"},
            },
        },
    }},
    [2] = {name = "shoe", messages = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
            },
        },
        [0x02] = {
            "IDENTITY",
            reply = {
                {"model", "text"},
                {"serial", "text"},
                {"firmware", "text"},
                {"digest", "hex", 32},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "dealing", [3] = "locked", [4] = "error"}},
                {"error", "named", {[0] = "none", [1] = "cannot read", [2] = "overdraw", [3] = "button misuse", [4] = "reverse at the exit", [5] = "reverse midway", [6] = "card code", [7] = "draw timeout", [8] = "jam"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"drawn", "number", 1},
                {"left", "number", 1},
                {"deck", "number", 2},
                {"loaded", "truth"},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[64] = "card", [65] = "cut card", [66] = "stand by", [67] = "fault", [68] = "fault cleared", [69] = "test mode changed", [70] = "power up", [71] = "lock changed"}},
                    {"detail", "number", 1},
                    {"more", "number", 2},
                }, counts = "count"},
            },
        },
        [0x05] = {
            "CLEAR ERROR",
            fields = {
                {"error", "named", {[0] = "none", [1] = "cannot read", [2] = "overdraw", [3] = "button misuse", [4] = "reverse at the exit", [5] = "reverse midway", [6] = "card code", [7] = "draw timeout", [8] = "jam"}},
            },
        },
        [0x10] = {
            "LOCK",
            fields = {
                {"locked", "truth"},
            },
        },
        [0x11] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
        },
        [0x12] = {
            "LOAD ORDER",
            fields = {
                {"count", "number", 1},
                {"cards", "cards", counts = "count"},
            },
        },
        [0x40] = {
            "CARD",
            fields = {
                {"index", "number", 1},
                {"card", "card"},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded", [2] = "outside"}},
            },
        },
        [0x41] = {
            "CUT CARD",
            fields = {
                {"drawn", "number", 1},
            },
        },
        [0x42] = {
            "STAND BY",
            fields = {
                {"deck", "number", 2},
                {"counted", "number", 1, must = 52},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded", [2] = "outside"}},
            },
        },
        [0x43] = {
            "FAULT",
            fields = {
                {"error", "named", {[0] = "none", [1] = "cannot read", [2] = "overdraw", [3] = "button misuse", [4] = "reverse at the exit", [5] = "reverse midway", [6] = "card code", [7] = "draw timeout", [8] = "jam"}},
                {"index", "number", 1},
            },
        },
        [0x44] = {
            "FAULT CLEARED",
            fields = {
                {"error", "named", {[0] = "none", [1] = "cannot read", [2] = "overdraw", [3] = "button misuse", [4] = "reverse at the exit", [5] = "reverse midway", [6] = "card code", [7] = "draw timeout", [8] = "jam"}},
            },
        },
        [0x45] = {
            "TEST MODE CHANGED",
            fields = {
                {"on", "truth"},
            },
        },
        [0x46] = {
            "POWER UP",
            fields = {
                {"state", "named", {[1] = "idle", [2] = "dealing", [3] = "locked", [4] = "error"}},
                {"error", "named", {[0] = "none", [1] = "cannot read", [2] = "overdraw", [3] = "button misuse", [4] = "reverse at the exit", [5] = "reverse midway", [6] = "card code", [7] = "draw timeout", [8] = "jam"}},
                {"drawn", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
            },
        },
        [0x47] = {
            "LOCK CHANGED",
            fields = {
                {"locked", "truth"},
            },
        },
    }, second = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
                {"spare", "hex", 3},
                {"capabilities", "flags", {[0] = "test mode", [1] = "log", [2] = "wall clock", [3] = "vendor messages", [4] = "draws", [5] = "two decks", [6] = "configuration"}},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "dealing", [3] = "locked", [4] = "error"}},
                {"error", "named", {[0] = "none", [1] = "cannot read", [2] = "overdraw", [3] = "button misuse", [4] = "reverse at the exit", [5] = "reverse midway", [6] = "card code", [7] = "draw timeout", [8] = "jam"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"drawn", "number", 1},
                {"left", "number", 1},
                {"deck", "number", 4},
                {"loaded", "truth"},
                {"log-entries", "number", 4},
                {"log-digest", "hex", 32},
                {"clock", "number", 8},
                {"wall-clock", "number", 8},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[64] = "card", [65] = "cut card", [66] = "stand by", [67] = "fault", [68] = "fault cleared", [69] = "test mode changed", [70] = "power up", [71] = "lock changed"}},
                    {"detail", "number", 1},
                    {"more", "number", 4},
                }, counts = "count"},
            },
        },
        [0x06] = {
            "BYE",
        },
        [0x42] = {
            "STAND BY",
            fields = {
                {"deck", "number", 4},
                {"counted", "number", 1, must = 52},
                {"flags", "flags", {[0] = "test mode", [1] = "loaded", [2] = "outside"}},
            },
        },
    }},
    [3] = {name = "bet sensor", messages = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
            },
        },
        [0x02] = {
            "IDENTITY",
            reply = {
                {"model", "text"},
                {"serial", "text"},
                {"firmware", "text"},
                {"digest", "hex", 32},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "round"}},
                {"error", "named", {[0] = "none"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"placed", "seats"},
                {"wagers", "seats"},
                {"lit", "seats"},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[16] = "lock", [17] = "unlock", [64] = "placed", [65] = "lifted", [66] = "late", [67] = "lifted while locked", [68] = "lamp", [69] = "stuck", [70] = "test mode", [71] = "power up"}},
                    {"detail", "number", 1},
                    {"more", "number", 2},
                }, counts = "count"},
            },
        },
        [0x05] = {
            "CLEAR ERROR",
            fields = {
                {"error", "named", {[0] = "none"}},
            },
        },
        [0x10] = {
            "LOCK",
            fields = {
                {"seats", "seats"},
            },
        },
        [0x11] = {
            "UNLOCK",
        },
        [0x12] = {
            "LIGHTS",
            fields = {
                {"seats", "seats"},
            },
        },
        [0x13] = {
            "PLACE",
            fields = {
                {"seats", "seats"},
            },
        },
        [0x14] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
        },
        [0x40] = {
            "PLACED",
            fields = {
                {"seat", "number", 1},
            },
        },
        [0x41] = {
            "LIFTED",
            fields = {
                {"seat", "number", 1},
            },
        },
        [0x42] = {
            "LATE",
            fields = {
                {"seat", "number", 1},
            },
        },
        [0x43] = {
            "LIFTED WHILE LOCKED",
            fields = {
                {"seat", "number", 1},
            },
        },
        [0x44] = {
            "LAMP",
            fields = {
                {"seat", "number", 1},
                {"glows", "truth"},
            },
        },
        [0x45] = {
            "STUCK",
            fields = {
                {"seat", "number", 1},
                {"sees", "truth"},
            },
        },
        [0x46] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
        },
        [0x47] = {
            "POWER UP",
            fields = {
                {"state", "named", {[1] = "idle", [2] = "round"}},
                {"error", "named", {[0] = "none"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"placed", "seats"},
                {"wagers", "seats"},
                {"lit", "seats"},
            },
        },
    }, second = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
                {"spare", "hex", 3},
                {"capabilities", "flags", {[0] = "test mode", [1] = "log", [2] = "wall clock", [3] = "vendor messages", [4] = "draws", [5] = "two decks", [6] = "configuration"}},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "round"}},
                {"error", "named", {[0] = "none"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"placed", "seats"},
                {"wagers", "seats"},
                {"lit", "seats"},
                {"log-entries", "number", 4},
                {"log-digest", "hex", 32},
                {"clock", "number", 8},
                {"wall-clock", "number", 8},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[16] = "lock", [17] = "unlock", [64] = "placed", [65] = "lifted", [66] = "late", [67] = "lifted while locked", [68] = "lamp", [69] = "stuck", [70] = "test mode", [71] = "power up"}},
                    {"detail", "number", 1},
                    {"more", "number", 4},
                }, counts = "count"},
            },
        },
        [0x06] = {
            "BYE",
        },
    }},
    [4] = {name = "terminal", messages = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
            },
        },
        [0x02] = {
            "IDENTITY",
            reply = {
                {"model", "text"},
                {"serial", "text"},
                {"firmware", "text"},
                {"digest", "hex", 32},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
                {"error", "named", {[0] = "none"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"wagers", "seats"},
                {"won", "seats"},
                {"rounds", "number", 4},
                {"awards", "number", 4},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[1] = "power up", [2] = "configured", [3] = "round started", [4] = "round cancelled", [5] = "round ended", [6] = "hand chosen", [7] = "None", [8] = "CANCEL JACKPOT", [9] = "ESC", [10] = "wrong code", [11] = "wrong for the third time", [12] = "authorized", [13] = "jackpot paid", [14] = "Must Hit paid", [15] = "meter corrected", [16] = "key refused", [17] = "wrong administrator code", [18] = "test mode", [19] = "Must Hit loaded"}},
                    {"detail", "number", 1},
                    {"more", "number", 2},
                }, counts = "count"},
            },
        },
        [0x05] = {
            "CLEAR ERROR",
            fields = {
                {"error", "named", {[0] = "none"}},
            },
        },
        [0x10] = {
            "KEY",
            fields = {
                {"key", "named", {[1] = "START ROUND", [2] = "CANCEL ROUND", [3] = "END ROUND", [4] = "seat", [5] = "hand", [6] = "None", [7] = "PENDING JACKPOT", [8] = "PAY JACKPOT", [9] = "CANCEL JACKPOT", [10] = "code", [11] = "ESC", [12] = "OK"}},
                {"seat", "number", 1, when = "if", on = "key", value = 4},
                {"hand", "index", when = "if", on = "key", value = 5},
                {"code", "code", when = "if", on = "key", value = 10},
            },
            reply = {
                {"refusal", "named", {[0] = "none", [1] = "not in this state", [2] = "no sensor has a wager", [3] = "the seat has no wager", [4] = "the seat has won already", [5] = "the hand is not configured", [6] = "the code is wrong", [7] = "the code is wrong, third time", [8] = "a jackpot was paid"}},
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
            },
        },
        [0x11] = {
            "SENSORS",
            fields = {
                {"seats", "seats"},
            },
        },
        [0x12] = {
            "METERS",
            reply = {
                {"count", "number", 1},
                {"must-hit", "index"},
                {"meters", "groups", {
                    {"name", "text"},
                    {"value", "micros"},
                }, counts = "count"},
            },
        },
        [0x13] = {
            "SIGN",
            reply = {
                {"seat", "number", 1},
                {"meter", "index", when = "if more"},
                {"cents", "number", 8, when = "unless", on = "seat", value = 0},
            },
        },
        [0x14] = {
            "LIGHTS",
            reply = {
                {"seats", "seats"},
            },
        },
        [0x15] = {
            "SCREEN",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
                {"seat", "number", 1},
                {"hand", "index"},
                {"wrong-codes", "number", 1},
                {"cents", "number", 8, when = "if more"},
            },
        },
        [0x16] = {
            "CONFIGURE",
            fields = {
                {"code", "code-text"},
                {"wager", "number", 4},
                {"rounding", "named", {[0] = "cents down", [1] = "dollars up", [2] = "nearest dollar"}},
                {"count", "number", 1},
                {"meters", "groups", {
                    {"name", "text"},
                    {"reseed", "micros"},
                    {"opening", "micros"},
                    {"rate", "number", 2},
                }, counts = "count"},
                {"must-hit-rate", "number", 2},
                {"reset", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"ceiling", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"opening", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"hand-count", "number", 1},
                {"hands", "groups", {
                    {"meter", "index"},
                    {"cents", "number", 4},
                }, counts = "hand-count"},
            },
        },
        [0x17] = {
            "CORRECT METER",
            fields = {
                {"code", "code-text"},
                {"meter", "index"},
                {"value", "micros"},
                {"reason", "text"},
            },
        },
        [0x18] = {
            "LEDGER",
            fields = {
                {"entry", "number", 4},
            },
            reply = {
                {"entry", "number", 4},
                {"millis", "number", 8},
                {"code", "named", {[1] = "power up", [2] = "configured", [3] = "round started", [4] = "round cancelled", [5] = "round ended", [6] = "hand chosen", [7] = "None", [8] = "CANCEL JACKPOT", [9] = "ESC", [10] = "wrong code", [11] = "wrong for the third time", [12] = "authorized", [13] = "jackpot paid", [14] = "Must Hit paid", [15] = "meter corrected", [16] = "key refused", [17] = "wrong administrator code", [18] = "test mode", [19] = "Must Hit loaded"}},
                {"seat", "number", 1},
                {"hand", "index"},
                {"meter", "index"},
                {"cents", "number", 8},
                {"meter-before", "micros"},
                {"meter-after", "micros"},
                {"reason", "text"},
            },
        },
        [0x19] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
        },
        [0x1a] = {
            "LOAD MUST HIT",
            fields = {
                {"seat", "number", 1},
            },
        },
        [0x40] = {
            "SCREEN CHANGED",
            fields = {
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
                {"seat", "number", 1},
                {"hand", "index"},
                {"wrong-codes", "number", 1},
                {"cents", "number", 8, when = "if more"},
            },
        },
        [0x41] = {
            "LIGHTS CHANGED",
            fields = {
                {"seats", "seats"},
            },
        },
        [0x42] = {
            "METERS CHANGED",
            fields = {
                {"count", "number", 1},
                {"must-hit", "index"},
                {"meters", "groups", {
                    {"name", "text"},
                    {"value", "micros"},
                }, counts = "count"},
            },
        },
        [0x43] = {
            "JACKPOT PAID",
            fields = {
                {"award", "number", 4},
                {"seat", "number", 1},
                {"hand", "index"},
                {"meter", "index"},
                {"cents", "number", 8},
            },
        },
        [0x44] = {
            "MUST HIT PAID",
            fields = {
                {"award", "number", 4},
                {"seat", "number", 1},
                {"hand", "index"},
                {"meter", "index"},
                {"cents", "number", 8},
            },
        },
        [0x45] = {
            "SIGN CHANGED",
            fields = {
                {"seat", "number", 1},
                {"meter", "index", when = "if more"},
                {"cents", "number", 8, when = "unless", on = "seat", value = 0},
            },
        },
        [0x46] = {
            "KEY REFUSED",
            fields = {
                {"key", "named", {[1] = "START ROUND", [2] = "CANCEL ROUND", [3] = "END ROUND", [4] = "seat", [5] = "hand", [6] = "None", [7] = "PENDING JACKPOT", [8] = "PAY JACKPOT", [9] = "CANCEL JACKPOT", [10] = "code", [11] = "ESC", [12] = "OK"}},
                {"refusal", "named", {[0] = "none", [1] = "not in this state", [2] = "no sensor has a wager", [3] = "the seat has no wager", [4] = "the seat has won already", [5] = "the hand is not configured", [6] = "the code is wrong", [7] = "the code is wrong, third time", [8] = "a jackpot was paid"}},
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
            },
        },
        [0x47] = {
            "POWER UP",
            fields = {
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
                {"seat", "number", 1},
                {"hand", "index"},
                {"wrong-codes", "number", 1},
                {"cents", "number", 8, when = "if more"},
            },
        },
        [0x48] = {
            "TEST MODE",
            fields = {
                {"on", "truth"},
            },
        },
    }, second = {
        [0x01] = {
            "HELLO",
            fields = {
                {"nonce", "hex", 4},
            },
            reply = {
                {"wire-version", "number", 1},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending", [4] = "knows version 2"}},
                {"waiting", "number", 1},
                {"spare", "hex", 3},
                {"capabilities", "flags", {[0] = "test mode", [1] = "log", [2] = "wall clock", [3] = "vendor messages", [4] = "draws", [5] = "two decks", [6] = "configuration"}},
            },
        },
        [0x03] = {
            "STATUS",
            reply = {
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
                {"error", "named", {[0] = "none"}},
                {"flags", "flags", {[0] = "test mode", [1] = "error pending"}},
                {"wagers", "seats"},
                {"won", "seats"},
                {"rounds", "number", 4},
                {"awards", "number", 4},
                {"log-entries", "number", 4},
                {"log-digest", "hex", 32},
                {"clock", "number", 8},
                {"wall-clock", "number", 8},
            },
        },
        [0x04] = {
            "LOG",
            fields = {
                {"first", "number", 4},
            },
            reply = {
                {"written", "number", 4},
                {"count", "number", 1},
                {"entries", "groups", {
                    {"entry", "number", 4},
                    {"millis", "number", 8},
                    {"code", "named", {[1] = "power up", [2] = "configured", [3] = "round started", [4] = "round cancelled", [5] = "round ended", [6] = "hand chosen", [7] = "None", [8] = "CANCEL JACKPOT", [9] = "ESC", [10] = "wrong code", [11] = "wrong for the third time", [12] = "authorized", [13] = "jackpot paid", [14] = "Must Hit paid", [15] = "meter corrected", [16] = "key refused", [17] = "wrong administrator code", [18] = "test mode", [19] = "Must Hit loaded"}},
                    {"detail", "number", 1},
                    {"more", "number", 4},
                }, counts = "count"},
            },
        },
        [0x06] = {
            "BYE",
        },
        [0x10] = {
            "KEY",
            fields = {
                {"key", "named", {[1] = "START ROUND", [2] = "CANCEL ROUND", [3] = "END ROUND", [4] = "seat", [5] = "hand", [6] = "None", [7] = "PENDING JACKPOT", [8] = "PAY JACKPOT", [9] = "CANCEL JACKPOT", [10] = "code", [11] = "ESC", [12] = "OK"}},
                {"seat", "number", 1, when = "if", on = "key", value = 4},
                {"hand", "index", when = "if", on = "key", value = 5},
                {"proof", "hex", 16, when = "if", on = "key", value = 10},
            },
            reply = {
                {"refusal", "named", {[0] = "none", [1] = "not in this state", [2] = "no sensor has a wager", [3] = "the seat has no wager", [4] = "the seat has won already", [5] = "the hand is not configured", [6] = "the code is wrong", [7] = "the code is wrong, third time", [8] = "a jackpot was paid"}},
                {"state", "named", {[1] = "idle", [2] = "open", [3] = "choose", [4] = "pending", [5] = "confirm", [6] = "code", [7] = "amount", [8] = "signed"}},
            },
        },
        [0x16] = {
            "CONFIGURE",
            fields = {
                {"proof", "hex", 16},
                {"wager", "number", 4},
                {"rounding", "named", {[0] = "cents down", [1] = "dollars up", [2] = "nearest dollar"}},
                {"count", "number", 1},
                {"meters", "groups", {
                    {"name", "text"},
                    {"reseed", "micros"},
                    {"opening", "micros"},
                    {"rate", "number", 2},
                }, counts = "count"},
                {"must-hit-rate", "number", 2},
                {"reset", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"ceiling", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"opening", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"hand-count", "number", 1},
                {"hands", "groups", {
                    {"meter", "index"},
                    {"cents", "number", 4},
                }, counts = "hand-count"},
            },
        },
        [0x17] = {
            "CORRECT METER",
            fields = {
                {"proof", "hex", 16},
                {"meter", "index"},
                {"value", "micros"},
                {"reason", "text"},
            },
        },
        [0x1b] = {
            "CONFIGURATION",
            reply = {
                {"wager", "number", 4},
                {"rounding", "named", {[0] = "cents down", [1] = "dollars up", [2] = "nearest dollar"}},
                {"count", "number", 1},
                {"meters", "groups", {
                    {"name", "text"},
                    {"reseed", "micros"},
                    {"opening", "micros"},
                    {"rate", "number", 2},
                }, counts = "count"},
                {"must-hit-rate", "number", 2},
                {"reset", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"ceiling", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"opening", "micros", when = "unless", on = "must-hit-rate", value = 0},
                {"hand-count", "number", 1},
                {"hands", "groups", {
                    {"meter", "index"},
                    {"cents", "number", 4},
                }, counts = "hand-count"},
            },
        },
        [0x1c] = {
            "CHALLENGE",
            reply = {
                {"challenge", "hex", 16},
            },
        },
    }},
}
-- End of what is made.

local f = {
    version = ProtoField.uint8("dealproof.version", "Format"),
    channel = ProtoField.uint8("dealproof.channel", "Channel"),
    direction = ProtoField.uint8("dealproof.direction", "Direction", base.DEC, directions),
    protocol = ProtoField.uint8("dealproof.protocol", "Protocol", base.DEC, protocols),
    address = ProtoField.string("dealproof.address", "Address"),
    note = ProtoField.string("dealproof.note", "Note"),
    bytes = ProtoField.bytes("dealproof.bytes", "Bytes"),
    lines = ProtoField.string("dealproof.lines", "Modem lines"),
    note = ProtoField.string("dealproof.note", "Note"),
    unfinished = ProtoField.uint32("dealproof.unfinished", "Bytes of an unfinished frame"),
    message = ProtoField.string("dealproof.message", "Message"),
    answers = ProtoField.framenum("dealproof.answers", "Answers", base.NONE, frametype.REQUEST),
    after = ProtoField.relative_time("dealproof.after", "After the question"),
    again = ProtoField.bool("dealproof.again", "Said again"),
    frame = ProtoField.bytes("dealproof.frame", "Frame"),
    frame_version = ProtoField.uint8("dealproof.frame.version", "Version"),
    class = ProtoField.uint8("dealproof.frame.class", "Class", base.HEX),
    type = ProtoField.uint8("dealproof.frame.type", "Type", base.HEX),
    sequence = ProtoField.uint8("dealproof.frame.sequence", "Sequence"),
    payload = ProtoField.bytes("dealproof.frame.payload", "Payload"),
    crc = ProtoField.uint16("dealproof.frame.crc", "CRC-16", base.HEX),
}

-- A filter for each name that a field has; numbers are numbers, everything else is text.
local by_name = {}

local function add_filters(fields)
    for _, field in ipairs(fields or {}) do
        local name, kind = field[1], field[2]
        if kind == "groups" then
            add_filters(field[3])
        elseif not by_name[name] then
            local make = (kind == "number" or kind == "index") and ProtoField.uint64 or
                         ProtoField.string
            by_name[name] = make("dealproof." .. name, name)
        end
    end
end

for _, class in pairs(layouts) do
    for _, messages in ipairs({class.messages, class.second}) do
        for _, message in pairs(messages) do
            add_filters(message.fields)
            add_filters(message.reply)
        end
    end
end
by_name.refusal = by_name.refusal or ProtoField.string("dealproof.refusal", "refusal")
for name, field in pairs(by_name) do f["its " .. name] = field end
dealproof.fields = f

local a = {
    frame = ProtoField.bytes("angeleye.frame", "Frame"),
    kind = ProtoField.string("angeleye.kind", "Kind"),
    sequence = ProtoField.uint8("angeleye.sequence", "Sequence", base.HEX),
    bcc = ProtoField.string("angeleye.bcc", "Block check"),
    card = ProtoField.string("angeleye.card", "card"),
    target = ProtoField.string("angeleye.target", "target"),
    index = ProtoField.uint8("angeleye.index", "index"),
    code = ProtoField.uint8("angeleye.code", "code"),
    error = ProtoField.string("angeleye.fault", "error"),
    stopped = ProtoField.string("angeleye.stopped", "stopped"),
    result = ProtoField.string("angeleye.result", "result"),
    pairs = ProtoField.uint8("angeleye.pairs", "pairs"),
    locked = ProtoField.string("angeleye.locked", "locked"),
    address = ProtoField.string("angeleye.address", "address"),
    value = ProtoField.string("angeleye.value", "value"),
    data = ProtoField.string("angeleye.data", "data"),
    text = ProtoField.string("angeleye.text", "text"),
    refusal = ProtoField.string("angeleye.refusal", "refusal"),
}
angel_eye.fields = a

local g = {
    frame = ProtoField.bytes("dealproofgat.frame", "Frame"),
    command = ProtoField.uint8("dealproofgat.command", "Command", base.HEX),
    crc = ProtoField.uint16("dealproofgat.crc", "CRC", base.HEX),
    version = ProtoField.string("dealproofgat.version", "version"),
    state = ProtoField.string("dealproofgat.state", "state"),
    calculating = ProtoField.string("dealproofgat.calculating", "calculating"),
    results = ProtoField.string("dealproofgat.results", "results"),
    formats = ProtoField.string("dealproofgat.formats", "formats"),
    level = ProtoField.uint8("dealproofgat.level", "level"),
    seconds = ProtoField.uint32("dealproofgat.seconds", "seconds"),
    format = ProtoField.string("dealproofgat.format", "format"),
    part = ProtoField.uint16("dealproofgat.part", "part"),
    error = ProtoField.string("dealproofgat.part_error", "error"),
    last = ProtoField.string("dealproofgat.last", "last"),
    text = ProtoField.string("dealproofgat.text", "text"),
    zero = ProtoField.string("dealproofgat.zero", "zero"),
    ["function"] = ProtoField.string("dealproofgat.function", "function"),
    data = ProtoField.string("dealproofgat.data", "data"),
}
gat.fields = g

local e = {
    crc = ProtoExpert.new("dealproof.error.crc", "CRC is wrong", expert.group.CHECKSUM,
                          expert.severity.ERROR),
    cobs = ProtoExpert.new("dealproof.error.cobs", "Not a COBS frame", expert.group.MALFORMED,
                           expert.severity.ERROR),
    short = ProtoExpert.new("dealproof.error.short", "Frame is too short", expert.group.MALFORMED,
                            expert.severity.ERROR),
    junk = ProtoExpert.new("dealproof.error.junk", "Bytes of no whole frame",
                           expert.group.MALFORMED, expert.severity.WARN),
    message = ProtoExpert.new("dealproof.error.message", "Not as the page says",
                              expert.group.PROTOCOL, expert.severity.ERROR),
    format = ProtoExpert.new("dealproof.error.format", "Capture format is not known",
                             expert.group.UNDECODED, expert.severity.ERROR),
}
dealproof.experts = e

local ea = {
    bcc = ProtoExpert.new("angeleye.error.bcc", "Block check is wrong", expert.group.CHECKSUM,
                          expert.severity.ERROR),
    report = ProtoExpert.new("angeleye.error.report", "Not a report of this protocol",
                             expert.group.UNDECODED, expert.severity.WARN),
    nak = ProtoExpert.new("angeleye.error.nak", "Refused by the other side",
                          expert.group.RESPONSE_CODE, expert.severity.WARN),
}
angel_eye.experts = ea

local eg = {
    crc = ProtoExpert.new("dealproofgat.error.crc", "GAT check is wrong", expert.group.CHECKSUM,
                          expert.severity.ERROR),
    message = ProtoExpert.new("dealproofgat.error.message", "Not as devices/GAT.md says",
                              expert.group.PROTOCOL, expert.severity.ERROR),
}
gat.experts = eg

-- Frames out of a stream. Each of these looks at the text from `at` on and returns the length of
-- what stands there and whether it is a frame, or nil while it is unfinished.

local function next_of_ours(text, at)
    local zero = text:find("\0", at, true)
    return zero and zero - at + 1, true
end

local function next_of_angel(text, at)
    local first = text:byte(at)
    if first == ACK then
        return 1, true
    elseif first == NAK then
        return at < #text and 2 or nil, true
    elseif first == ENQ or first == STX then
        -- The byte after ENQ is a sequence number and may look like anything.
        -- Another frame that begins before this one's ETX shows that its rest was lost.
        local stop = text:find("[\2\3\5\6\21]", at + (first == ENQ and 2 or 1))
        if stop and text:byte(stop) ~= ETX then return stop - at, false end
        return stop and stop + 2 <= #text and stop + 2 - at + 1 or nil, true
    end
    local start = text:find("[\2\5\6\21]", at)
    return (start or #text + 1) - at, false
end

-- CRC-16/MODBUS
local function crc_modbus(text)
    local crc = 0xffff
    for i = 1, #text do
        crc = bxor(crc, text:byte(i))
        for _ = 1, 8 do
            local low = crc % 2
            crc = math.floor(crc / 2)
            if low == 1 then crc = bxor(crc, 0xa001) end
        end
    end
    return crc
end

local function has_gat_check(text)
    return crc_modbus(text:sub(1, -3)) == text:byte(-2) * 256 + text:byte(-1)
end

-- No mark tells where the next frame begins: after one that is wrong the rest is dropped.
local function next_of_gat(text, at)
    if at == #text then return nil end
    local length = text:byte(at + 1)
    if length < 4 then return #text - at + 1, false end
    if at + length - 1 > #text then return nil end
    if not has_gat_check(text:sub(at, at + length - 1)) then return #text - at + 1, false end
    return length, true
end

local next_frame = {[OURS] = next_of_ours, [ANGEL] = next_of_angel, [GAT] = next_of_gat}

-- What the streams hold unfinished and what was asked in them, by channel and direction; and, by
-- packet, the frames that end in it, so that a packet that is shown again shows the same.
-- A channel hears questions where none was missed since the first.
local streams, questions, packets, addresses, hears_question = {}, {}, {}, {}, {}

function dealproof.init()
    streams, questions, packets, addresses, hears_question = {}, {}, {}, {}, {}
end

local function split_stream(key, protocol, text)
    local before = streams[key] or ""
    local found = {before = #before}
    local at = 1
    text = before .. text
    while at <= #text do
        local length, is_frame = next_frame[protocol](text, at)
        if not length then
            if #text - at + 1 <= LONGEST_FRAME then break end
            length, is_frame = #text - at + 1, false
        end
        found[#found + 1] = {at = at, bytes = text:sub(at, at + length - 1), is_frame = is_frame}
        at = at + length
    end
    streams[key] = text:sub(at)
    found.unfinished = #text - at + 1
    return found
end

-- The bytes of a frame as a tvb: part of the packet, or put together when it began in an earlier.
local function frame_range(frame, before, tvb)
    local offset = frame.at - before - 1
    if offset >= 0 then
        return tvb:range(4 + offset, #frame.bytes)
    end
    return ByteArray.new(frame.bytes, true):tvb("Frame over several packets"):range()
end

local function cobs_decode(text)
    local pieces, at = {}, 1
    while at <= #text do
        local code = text:byte(at)
        if code == 0 or at + code - 1 > #text then return nil end
        pieces[#pieces + 1] = text:sub(at + 1, at + code - 1)
        at = at + code
        if code < 255 and at <= #text then pieces[#pieces + 1] = "\0" end
    end
    return table.concat(pieces)
end

-- CRC-16/CCITT-FALSE
local function crc16(text)
    local crc = 0xffff
    for i = 1, #text do
        crc = bxor(crc, text:byte(i) * 256)
        for _ = 1, 8 do
            crc = crc >= 0x8000 and bxor((crc % 0x8000) * 2, 0x1021) or crc * 2
        end
    end
    return crc
end

-- Text of cards and of what is no printable ASCII, as decode writes it.

local function card_text(card)
    local rank, suit = card % 16, math.floor(card / 16)
    if rank > 12 or suit > 3 then return "??" end
    return ("23456789TJQKA"):sub(rank + 1, rank + 1) .. ("cdhs"):sub(suit + 1, suit + 1)
end

local function wrong(reading, ...)
    reading.wrong = reading.wrong or string.format(...)
end

local function check_card(reading, card)
    if card_text(card) == "??" then wrong(reading, "byte %02x is no card", card) end
end

local function plain(text)
    return (text:gsub("[^ -~]", "?"))
end

local function hex(text)
    return (text:gsub(".", function(c) return string.format("%02x", c:byte()) end))
end

-- The fields of a payload. A reading has the payload as text and as a range, how far it is, the
-- numbers that later fields depend on, the tree and the words of what was read.

local function add_field(reading, field, length, value, words)
    local range = reading.range(reading.at, length)
    local item
    if value == nil then
        item = reading.tree:add(by_name[field[1]], range)
    elseif value ~= false then
        item = reading.tree:add(by_name[field[1]], range, value)
    end
    reading.words[#reading.words + 1] = field[1] .. " " .. words
    reading.at = reading.at + length
    return item
end

local function named(names, value)
    return names[value] or "unknown " .. value
end

local function list_bits(byte, name_of)
    local found = {}
    for bit = 0, 7 do
        if math.floor(byte / 2 ^ bit) % 2 == 1 then found[#found + 1] = name_of(bit) end
    end
    return #found > 0 and table.concat(found, " ") or "none"
end

local MILLION = UInt64(1000000)

local function micros_text(range)
    local value = range:uint64()
    return string.format("%s.%06u", tostring(value / MILLION), (value % MILLION):tonumber())
end

-- Each takes a field and how many bytes it has here.
local read = {}

function read.number(reading, field, size)
    local range = reading.range(reading.at, size)
    local words = size <= 4 and tostring(range:uint()) or tostring(range:uint64())
    reading.saved[field[1]] = size <= 4 and range:uint() or nil
    if field.must and range:uint() ~= field.must then
        wrong(reading, "'%s' is %u and must be %u", field[1], range:uint(), field.must)
    end
    add_field(reading, field, size, nil, words)
end

function read.index(reading, field, size)
    local value = reading.text:byte(reading.at + 1)
    add_field(reading, field, size, value == 255 and false or nil,
              value == 255 and "none" or tostring(value))
end

local function read_byte(words_of)
    return function(reading, field, size)
        local value = reading.text:byte(reading.at + 1)
        local words = words_of(value, field)
        reading.saved[field[1]] = value
        add_field(reading, field, size, words, words)
    end
end

read.named = read_byte(function(value, field) return named(field[3], value) end)
local read_card = read_byte(card_text)
function read.card(reading, field, size)
    check_card(reading, reading.text:byte(reading.at + 1))
    read_card(reading, field, size)
end
read.truth = read_byte(function(value)
    return value == 0 and "no" or value == 1 and "yes" or tostring(value)
end)
read.seats = read_byte(function(value) return list_bits(value, tostring) end)
read.flags = read_byte(function(value, field)
    return list_bits(value, function(bit) return field[3][bit] or "bit " .. bit end)
end)

function read.cards(reading, field, size)
    local cards = {}
    local first = reading.at
    for i = 1, size do
        check_card(reading, reading.text:byte(first + i))
        cards[i] = card_text(reading.text:byte(first + i))
    end
    local words = table.concat(cards, " ")
    local item = add_field(reading, field, size, words, words == "" and '""' or words)
    for i = 1, size do item:add(by_name.card, reading.range(first + i - 1, 1), cards[i]) end
end

function read.numbers(reading, field, size)
    local numbers = {reading.text:byte(reading.at + 1, reading.at + size)}
    local words = #numbers > 0 and table.concat(numbers, " ") or "none"
    add_field(reading, field, size, words, words)
end

function read.text(reading, field, size)
    local words = plain(reading.text:sub(reading.at + 2, reading.at + size))
    add_field(reading, field, size, words, words == "" and '""' or words)
end

function read.hex(reading, field, size)
    local words = hex(reading.text:sub(reading.at + 1, reading.at + size))
    add_field(reading, field, size, words, words)
end

function read.micros(reading, field, size)
    local words = micros_text(reading.range(reading.at, size))
    add_field(reading, field, size, words, words)
end

function read.code(reading, field, size)
    add_field(reading, field, size, "hidden", "hidden")
end
read["code-text"] = read.code

local function count_bytes(count) return count .. (count == 1 and " byte" or " bytes") end

-- How many bytes a field has; more than there are where some are missing.
local function size_of(reading, field)
    local kind, left = field[2], #reading.text - reading.at
    if kind == "number" or kind == "hex" then return field[3] end
    if kind == "micros" then return 8 end
    if kind == "cards" or kind == "numbers" then
        return field.counts and (reading.saved[field.counts] or 0) or left
    end
    if kind == "text" or kind == "code-text" then
        return left > 0 and 1 + reading.text:byte(reading.at + 1) or 1
    end
    return kind == "code" and left or 1
end

local function is_there(reading, field)
    if field.when == "if" then return (reading.saved[field.on] or 0) == field.value end
    if field.when == "unless" then return (reading.saved[field.on] or 0) ~= field.value end
    if field.when == "if more" then return reading.at < #reading.text end
    return true
end

local read_fields

local function read_groups(reading, field)
    local outer, groups, why = reading.words, {}, nil
    for _ = 1, reading.saved[field.counts] or 0 do
        reading.words = {}
        why = read_fields(reading, field[3])
        groups[#groups + 1] = table.concat(reading.words, ", ")
        if why then break end
    end
    reading.words = outer
    outer[#outer + 1] = field[1] .. " " ..
                        (#groups > 0 and "(" .. table.concat(groups, "; ") .. ")" or "none")
    return why
end

-- What is wrong, or nil.
read_fields = function(reading, fields)
    for _, field in ipairs(fields or {}) do
        if is_there(reading, field) then
            if field[2] == "groups" then
                local why = read_groups(reading, field)
                if why then return why end
            else
                local size = size_of(reading, field)
                if size > #reading.text - reading.at then
                    return "the payload ends in '" .. field[1] .. "'"
                end
                -- Nothing can be shown of no bytes at the very end of a tvb.
                if size == 0 and reading.at == #reading.text and #reading.text == 0 then
                    reading.words[#reading.words + 1] = field[1] .. ' ""'
                else
                    read[field[2]](reading, field, size)
                end
            end
        end
    end
end

local function read_payload(reading, fields)
    local why = read_fields(reading, fields)
    local left = #reading.text - reading.at
    if not why and left > 0 then
        why = "the payload has " .. count_bytes(left) .. " too many"
    end
    return reading.wrong or why
end

-- A message in the version of its frame; version 2 leaves some types to vendors.
local function find_message(class, version, number)
    local layout = layouts[class]
    if not layout then return nil end
    return version >= 2 and layout.second[number] or layout.messages[number]
end

local function is_vendor(version, number)
    return version >= 2 and (number >= 0x38 and number < 0x40 or number >= 0x78 and number < 0x7f)
end

-- "request LOCK", "reply to LOCK", "event CARD", "LOCK refused": the title, the kind, and the number
-- that a question and its answer share.
local function title_of(class, decoded)
    local version, type, sequence = decoded:byte(1), decoded:byte(3), decoded:byte(4)
    local function name_of(number)
        local message = find_message(class, version, number)
        return message and message[1] or string.format("type %02x", number)
    end
    if type == 0xff then
        local refused = #decoded == 8 and decoded:byte(5)
        return (refused and name_of(refused) or "nothing") .. " refused", "refusal",
               (refused or 127) + 256 * sequence
    end
    local is_answer, number = type >= 0x80, type % 0x80
    local is_event = number >= 0x40
    local kind = is_event and (is_answer and "acknowledgement" or "event") or
                 (is_answer and "reply" or "request")
    local before = {request = "request ", reply = "reply to ", event = "event ",
                    acknowledgement = "acknowledged "}
    local name = is_vendor(version, number) and "VENDOR" or name_of(number)
    return before[kind] .. name, kind, number + 256 * sequence
end

local function read_message(class, version, kind, number, reading)
    local message = find_message(class, version, number % 256)
    if kind == "refusal" then
        if #reading.text ~= 2 then
            return string.format("a refusal has 2 bytes, not %u", #reading.text)
        end
        reading.at = 1
        read.named(reading, {"refusal", "named", refusals}, 1)
        return nil
    end
    if is_vendor(version, number % 256) then
        if #reading.text > 0 then
            reading.words[1] = "payload " .. hex(reading.text)
        end
        return nil
    end
    if not message then
        if #reading.text > 0 then
            reading.words[1] = "payload " .. hex(reading.text)
        end
        return layouts[class] and "the class has no such message" or "there is no such class"
    end
    if kind == "acknowledgement" then
        return #reading.text > 0 and
               "an acknowledgement has no payload, and this one " .. count_bytes(#reading.text) or nil
    end
    return read_payload(reading, kind == "reply" and message.reply or
                                 kind ~= "reply" and message.fields or nil)
end

local from_device = {reply = true, refusal = true, event = true}

-- A message is told as decode does: its text, and what matches it with others.
local function told(device, title, sequence, words, wrong)
    local text = device .. " " .. title
    if sequence then text = text .. ", sequence " .. sequence end
    if #words > 0 then text = text .. ": " .. table.concat(words, ", ") end
    if wrong then text = text .. " [" .. wrong .. "]" end
    return text
end

local function show_ours(range, tree, direction)
    local text = range:bytes():raw()
    local item = tree:add(f.frame, range)
    if #text == 1 then
        return "delimiter"
    end
    local decoded = cobs_decode(text:sub(1, -2))
    if not decoded then
        item:add_proto_expert_info(e.cobs)
        return "broken frame"
    end
    if #decoded < 6 then
        item:add_proto_expert_info(e.short)
        return "short frame"
    end
    local tvb = ByteArray.new(decoded, true):tvb("Decoded frame")
    local size, class = tvb:len(), tvb:range(1, 1):uint()
    local title, kind, number = title_of(class, decoded)
    local device = layouts[class] and layouts[class].name or string.format("class %02x", class)
    item:add(f.frame_version, tvb:range(0, 1))
    item:add(f.class, tvb:range(1, 1)):append_text(" (" .. device .. ")")
    item:add(f.type, tvb:range(2, 1)):append_text(" (" .. title .. ")")
    item:add(f.sequence, tvb:range(3, 1))
    local payload = size > 6 and item:add(f.payload, tvb:range(4, size - 6)) or item
    local crc_item = item:add(f.crc, tvb:range(size - 2, 2))
    local crc = crc16(decoded:sub(1, -3))
    local is_whole = tvb:range(size - 2, 2):uint() == crc and decoded:byte(1) >= 1 and decoded:byte(1) <= 2
    local reading = {text = decoded:sub(5, -3), at = 0, saved = {}, words = {}, tree = payload,
                     range = function(at, length) return tvb:range(4 + at, length) end}
    local wrong = read_message(class, decoded:byte(1), kind, number, reading)
    if not wrong and from_device[kind] ~= (direction == FROM_DEVICE or nil) then
        wrong = kind .. " is nothing that the " ..
                (direction == FROM_DEVICE and "device" or "host") .. " says"
    end
    if wrong then item:add_proto_expert_info(e.message, wrong) end
    local name = told(device, title, decoded:byte(4), reading.words, wrong)
    if not is_whole then
        crc_item:append_text(string.format(" (wrong, should be 0x%04x)", crc))
        crc_item:add_proto_expert_info(e.crc)
        return name .. " [wrong CRC]"
    end
    item:append_text(", " .. name)
    local is_event = kind == "event" or kind == "acknowledgement"
    return name, {item = item, asks = kind == "request" or kind == "event",
                  key = number + (is_event and 65536 or 0)}
end

local reports = {
    S = {"communication starts", 1}, P = {"stand-by", 1}, C = {"cut card came out", 1},
    D = {"card drawn", 3}, R = {"card re-sent", 3}, d = {"card drawn outside a game", 3},
    G = {"game result", 2}, E = {"error", 2}, e = {"error cleared", 2}, L = {"lock", 2},
    M = {"setting changed", 7},
}
local targets = {[0] = "player", "banker", "burn", nil, "first card", "burn count"}
local outside_targets = {[0] = "lock mode", "error mode", "setting mode"}
local ranks = {"A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"}
local suits = {"d", "c", "s", "h"}
local results = {[1] = "player", [2] = "tie", [4] = "banker", [7] = "forced end"}
local shoe_errors = {"cannot read", "overdraw", "button misuse", "reverse at the exit",
                     "reverse midway", "card code", "draw timeout"}
local operations = {OPLK02 = "lock", OPLK01 = "unlock"}
local operation_types = {EC = "clear error", GP = "which state"}
local naks = {
    [0x01] = "a framing or parity error", [0x02] = "the block check is wrong",
    [0x03] = "there is no ETX", [0x11] = "the format is wrong",
    [0x12] = "there is no such address", [0x13] = "there is no such command",
    [0x14] = "there is no such type", [0x21] = "the shoe is busy",
    [0x22] = "the shoe is writing to its memory",
    [0xff] = "another reason, which it does not give",
}

-- Adds a field and its words; `add(name, words, range)`.
local function shoe_fields(item)
    local words = {}
    return words, function(name, value, range)
        item:add(a[name], range, value)
        words[#words + 1] = name .. " " .. tostring(value)
    end
end

-- What is wrong, or nil. `data` is without the bits 7.
local function show_report(data, range, add)
    local letter, first = data:sub(1, 1), #data > 1 and data:byte(2) or 0
    local high, low = math.floor(first / 16), first % 16
    local report = reports[letter]
    local second = range:len() > 4 and range(3, 1) or range
    if not report or report[2] ~= #data then return true end
    if report[2] == 3 then
        local names = letter == "d" and outside_targets or targets
        local rank, suit = ranks[data:byte(3) % 16], suits[math.floor(data:byte(3) / 16)]
        if not names[high] or not rank or not suit then return true end
        add("card", rank .. suit, range(4, 1))
        add("target", names[high], second)
        add("index", low, second)
    elseif letter == "G" then
        if not results[high] then return true end
        add("result", results[high], second)
        add("pairs", first % 4, second)
    elseif letter == "E" or letter == "e" then
        if first % 64 == 0 then return true end
        add("code", first % 64, second)
        add("error", shoe_errors[first % 64] or "unknown", second)
        if letter == "E" then add("stopped", first >= 64 and "yes" or "no", second) end
    elseif letter == "L" then
        add("locked", first % 2 == 1 and "yes" or "no", second)
    elseif letter == "M" then
        if data:find("[^ -~]") then return true end
        add("address", data:sub(2, 3), range(3, 2))
        add("value", data:sub(4, 7), range(5, 4))
    end
end

local function xor_all(text)
    local sum = 0
    for i = 1, #text do sum = bxor(sum, text:byte(i)) end
    return sum
end

-- The block check follows ETX. That of an operation may be counted with its STX or without.
local function show_bcc(text, range, item, allow_stx)
    local got = text:sub(-2)
    local inside = text:sub(2, -3)
    local right = string.format("%02X", xor_all(inside))
    local with_stx = string.format("%02X", bxor(xor_all(inside), STX))
    local bcc = item:add(a.bcc, range(#text - 2, 2))
    if allow_stx and got == with_stx then
        bcc:append_text(" (counted with STX)")
    elseif got ~= right then
        bcc:append_text(" (wrong, should be " .. (allow_stx and with_stx or right) .. ")")
        bcc:add_proto_expert_info(ea.bcc)
        return " [wrong block check]"
    end
    return ""
end

local REPORT = 1 -- reports and their answers; operations and theirs are 0

local function show_enq(text, range, item)
    local data = text:sub(3, 3) .. text:sub(4, -4):gsub(".", function(c)
        return string.char(c:byte() % 128)
    end)
    local words, add = shoe_fields(item)
    local report = reports[data:sub(1, 1)]
    local wrong = nil
    item:add(a.sequence, range(1, 1))
    if show_report(data, range, add) then
        local shown = data:sub(1, 1)
        for i = 4, #text - 3 do shown = shown .. string.format(" %02x", text:byte(i)) end
        while #words > 0 do table.remove(words) end
        add("data", shown, range(2, #text - 5))
        item:add_proto_expert_info(ea.report)
        wrong = "not a report of this protocol"
    end
    return told("shoe", report and report[1] or "unknown", text:byte(2), words, wrong),
           {item = item, asks = true, key = REPORT}
end

local function show_stx(text, range, item, direction)
    local data = text:sub(2, -4)
    local words, add = shoe_fields(item)
    local name = operations[data:sub(1, 6)] or
                 data:sub(1, 2) == "OP" and operation_types[data:sub(3, 4)] or "operation"
    local wrong = (#data ~= 6 or data:sub(1, 2) ~= "OP") and "not an operation of this protocol" or
                  nil
    add("text", data, range(1, #data))
    return told("shoe", name, nil, words, wrong),
           {item = item, asks = direction == TO_DEVICE, key = 0, has_no_number = true}
end

local function show_angel(range, tree, direction)
    local text = range:bytes():raw()
    local item = tree:add(a.frame, range)
    local first = text:byte(1)
    local key = direction == TO_DEVICE and REPORT or 0
    local name, match
    if first == ACK then
        item:add(a.kind, range(0, 1), "ACK")
        name, match = "shoe ACK", {item = item, key = key}
    elseif first == NAK then
        local words, add = shoe_fields(item)
        item:add(a.kind, range(0, 1), "NAK")
        add("code", text:byte(2), range(1, 1))
        add("refusal", naks[text:byte(2)] or "unknown", range(1, 1))
        item:add_proto_expert_info(ea.nak)
        name, match = told("shoe", "NAK", nil, words), {item = item, key = key}
    else
        item:add(a.kind, range(0, 1), first == ENQ and "report" or "operation")
        local shows = first == ENQ and show_enq or show_stx
        name, match = shows(text, range, item, direction)
        local wrong = show_bcc(text, range, item, first == STX)
        if wrong ~= "" then name, match = name .. wrong, nil end
    end
    item:append_text(", " .. name)
    return name, match
end

-- By the code of the question: its name, how many bytes of data it has and its answer has, and
-- whether each may have more.
local gat_commands = {
    {"SQ", 0, false, 4, false}, {"LASQ", 0, false, 5, false}, {"LARQ", 3, false, 3, true},
    {"IACQ", 1, true, 0, true},
}
local gat_states = {[0] = "requested", "finished", "calculating", "error"}
local gat_formats = {[0] = "none", "plain text", "XML", "plain text XML"}

local function gat_bit(byte, bit)
    return math.floor(byte / bit) % 2 == 1 and "yes" or "no"
end

local function gat_text(text, tab)
    local shown = text:gsub("[\n\r]", " "):gsub("[^ -~\t]", "?"):gsub("\t", tab)
    return shown == "" and '""' or shown
end

-- What each message holds; `add(name, value, first, length)`, with places in the data.
local gat_shows = {
    [0x03] = function(data, add)
        local format = data:byte(1)
        add("format", format == 2 and "XML" or format == 1 and "plain text" or "unknown " .. format,
            0, 1)
        add("part", data:byte(2) * 256 + data:byte(3), 1, 2)
    end,
    [0x04] = function(data, add)
        local head = #data > 1 and data:byte(2) == 0 and 2 or 1
        add("level", data:byte(1), 0, 1)
        add("zero", head == 2 and "yes" or "no", 0, head)
        add("function", gat_text(data:sub(head + 1), " / "), 0, #data)
    end,
    [0x81] = function(data, add)
        local status = data:byte(3)
        add("version", string.format("%x.%02x", data:byte(1), data:byte(2)), 0, 2)
        add("state", gat_states[math.floor(status / 4) % 4], 2, 1)
        add("calculating", gat_bit(status, 1), 2, 1)
        add("results", gat_bit(status, 2), 2, 1)
        add("formats", gat_formats[data:byte(4) % 4], 3, 1)
    end,
    [0x82] = function(data, add)
        add("level", data:byte(1), 0, 1)
        add("seconds", ((data:byte(2) * 256 + data:byte(3)) * 256 + data:byte(4)) * 256 +
                       data:byte(5), 1, 4)
    end,
    [0x83] = function(data, add)
        add("part", data:byte(2) * 256 + data:byte(3), 1, 2)
        add("error", gat_bit(data:byte(1), 1), 0, 1)
        add("last", gat_bit(data:byte(1), 2), 0, 1)
        add("text", gat_text(data:sub(4), " "), 0, #data)
    end,
    [0x84] = function(data, add)
        local shown = hex(data)
        add("data", shown == "" and '""' or shown, 0, #data)
    end,
}

local function gat_wrong(command, data, direction)
    local is_reply = command >= 0x80
    local row = gat_commands[command % 0x80]
    local size, wrong = #data
    if not row then
        wrong = "there is no such command"
    else
        local due, is_least = row[is_reply and 4 or 2], row[is_reply and 5 or 3]
        if size < due or (size > due and not is_least) then
            wrong = string.format("the data has %s, not %u%s", count_bytes(size), due,
                                  is_least and " or more" or "")
        end
    end
    local is_shown = not wrong
    if is_shown and command == 0x81 then
        local version = string.format("%x.%02x", data:byte(1), data:byte(2))
        if not version:match("^[%d.]+$") then wrong = version .. " is no version" end
    elseif is_shown and command % 0x80 == 3 and data:sub(2, 3) == "\0\0" then
        wrong = "parts are numbered from 1"
    end
    if is_reply ~= (direction == FROM_DEVICE) then
        wrong = wrong or (is_reply and "a reply is nothing that the host says" or
                          "a request is nothing that the device says")
    end
    return wrong, is_shown
end

local function show_gat(range, tree, direction)
    local text = range:bytes():raw()
    local item = tree:add(g.frame, range)
    local command, data = text:byte(1), text:sub(3, -3)
    local wrong, is_shown = gat_wrong(command, data, direction)
    local row = gat_commands[command % 0x80]
    local words = {}
    item:add(g.command, range(0, 1))
    if is_shown and gat_shows[command] then
        gat_shows[command](data, function(name, value, first, length)
            item:add(g[name], length > 0 and range(2 + first, length) or range, value)
            words[#words + 1] = name .. " " .. tostring(value)
        end)
    end
    item:add(g.crc, range(#text - 2, 2))
    if wrong then item:add_proto_expert_info(eg.message, wrong) end
    local name = row and row[1] or string.format("command %02x", command % 0x80)
    local title = (command >= 0x80 and "reply to " or "request ") .. name
    local shown = told("gat", title, nil, words, wrong)
    item:append_text(", " .. shown)
    -- The answer to a question for one part is no answer to that for another.
    local part = is_shown and command % 0x80 == 3 and data:byte(2) * 256 + data:byte(3) or 0
    return shown, {item = item, asks = command < 0x80, key = command % 0x80 + part * 256,
                   has_no_number = true, answers_only = true, is_wrong = wrong}
end

local show = {[OURS] = show_ours, [ANGEL] = show_angel, [GAT] = show_gat}

-- Which question a message answers; found out when the packet is first seen.
local function match_up(frame, match, name, channel, direction, pinfo)
    local mine = channel .. "/" .. direction
    if match.asks then
        questions[mine] = questions[mine] or {}
        local last = questions[mine].last
        hears_question[channel] = true
        -- Without a number the same may be asked again as soon as it was answered.
        if last and last.key == match.key and last.name == name and
           not (match.has_no_number and last.answered > 0) then
            frame.again = true
            last.asked = last.asked + 1
            return
        end
        local question = {key = match.key, name = name, packet = pinfo.number, time = pinfo.rel_ts,
                          asked = 1, answered = 0}
        questions[mine][match.key] = question
        questions[mine].last = question
        return
    end
    local others = questions[channel .. "/" .. (1 - direction)]
    local question = others and others[match.key]
    -- Where devices only answer, the last question waits for an answer or none.
    if match.answers_only and hears_question[channel] and not match.is_wrong and
       (not question or question ~= others.last or question.answered >= question.asked) then
        frame.wrong = "no question waits for it"
    end
    if question then
        frame.answers, frame.after = question.packet, pinfo.rel_ts - question.time
        frame.again = question.answered > 0
        question.answered = question.answered + 1
    end
end

local function show_frames(tvb, pinfo, tree, protocol, channel, direction)
    local key = channel .. "/" .. direction
    local is_first = not packets[pinfo.number]
    if is_first then
        packets[pinfo.number] = split_stream(key, protocol, tvb:raw(4))
    end
    local found, names = packets[pinfo.number], {}
    for _, frame in ipairs(found) do
        local range = frame_range(frame, found.before, tvb)
        if frame.is_frame then
            local name, match = show[protocol](range, tree, direction)
            if match then
                if is_first then match_up(frame, match, name, channel, direction, pinfo) end
                if frame.wrong then
                    name = name .. " [" .. frame.wrong .. "]"
                    match.item:append_text(" [" .. frame.wrong .. "]")
                    match.item:add_proto_expert_info(eg.message, frame.wrong)
                end
                tree:add(f.message, range, name)
                if frame.answers then
                    match.item:add(f.answers, frame.answers):set_generated()
                    local nanos = math.floor(frame.after * 1e9 + 0.5)
                    match.item:add(f.after, NSTime(math.floor(nanos / 1e9), nanos % 1e9))
                        :set_generated()
                end
                if frame.again then match.item:add(f.again, true):set_generated() end
            end
            names[#names + 1] = name
        else
            if direction == TO_DEVICE and is_first then hears_question[channel] = nil end
            tree:add(f.bytes, range):add_proto_expert_info(e.junk)
            names[#names + 1] = "junk"
        end
    end
    if found.unfinished > 0 then tree:add(f.unfinished, found.unfinished):set_generated() end
    return table.concat(names, "; ")
end

local function show_lines(tvb, tree)
    if tvb:len() < 6 then return "modem lines" end
    local set, names = tvb:range(5, 1):uint(), {}
    for _, line in ipairs(line_names) do
        if math.floor(set / line[1]) % 2 == 1 then names[#names + 1] = line[2] end
    end
    local words = #names > 0 and table.concat(names, " ") or "none"
    tree:add(f.lines, tvb:range(5, 1), words)
    return "modem lines " .. words
end

-- Who it is from and who it is for.
local function set_columns(pinfo, channel, direction)
    local device = addresses[channel] or "device " .. channel
    if direction == TO_DEVICE or direction == FROM_DEVICE then
        pinfo.cols.src = direction == TO_DEVICE and "host" or device
        pinfo.cols.dst = direction == TO_DEVICE and device or "host"
    end
end

function dealproof.dissector(tvb, pinfo, root)
    if tvb:len() < 4 or tvb:range(0, 1):uint() ~= 1 then
        root:add(dealproof, tvb()):add_proto_expert_info(e.format)
        return 0
    end
    local channel, direction = tvb:range(1, 1):uint(), tvb:range(2, 1):uint()
    local protocol = tvb:range(3, 1):uint()
    local tree = root:add(dealproof, tvb())
    tree:add(f.version, tvb:range(0, 1))
    tree:add(f.channel, tvb:range(1, 1))
    tree:add(f.direction, tvb:range(2, 1))
    tree:add(f.protocol, tvb:range(3, 1))

    pinfo.cols.protocol = protocol == ANGEL and "Angel Eye" or protocol == GAT and "GAT" or
                          "dealproof"
    local info = count_bytes(tvb:len() - 4)
    local mark = direction == TO_DEVICE and ">" or direction == FROM_DEVICE and "<" or
                 direction == ABOUT and "is" or "-"
    if direction == ABOUT then
        info = tvb:range(4):string()
        tree:add(f.address, tvb:range(4))
        if not pinfo.visited then
            addresses[channel] = info
            for side = 0, 1 do
                streams[channel .. "/" .. side], questions[channel .. "/" .. side] = nil, nil
            end
            hears_question[channel] = nil
        end
    elseif direction == LINES then
        info = show_lines(tvb, tree)
        mark = tvb:len() > 4 and tvb:range(4, 1):uint() == 1 and "<" or ">"
    elseif direction == NOTE or direction == GAP then
        if direction == GAP and not pinfo.visited then hears_question[channel] = nil end
        info = tvb:range(4):string()
        tree:add(f.note, tvb:range(4))
    elseif show[protocol] and tvb:len() > 4 then
        info = show_frames(tvb, pinfo, tree, protocol, channel, direction)
        if info == "" then info = "part of a frame" end
    elseif tvb:len() > 4 then
        tree:add(f.bytes, tvb:range(4))
    end
    set_columns(pinfo, channel, direction)
    if direction ~= ABOUT and addresses[channel] then
        tree:add(f.address, addresses[channel]):set_generated()
    end
    pinfo.cols.info = string.format("%u %s %s", channel, mark, info)
    return tvb:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, dealproof)
