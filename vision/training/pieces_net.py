"""The piece finder and the token recognizer as networks; see `pieces_train`."""

import torch
from torch import nn
from torch.nn import functional

from vision.pieces.streets import COLUMNS, HOUSES, ROWS

#: Levels of leans (`bands.py`) differ less than those of colors: what sees them begins with weights as much larger.
LEANS = 4.0
#: Planes of what the recognizer makes of the px before it sees every other one, which are shown beside them.
FINE = 16
#: So much of a street that tells something is told of a board by nothing.
FEW = 0.1


def conv(inside, outside, stride=1, dilation=1):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):
    def __init__(self, width, dilation=1):
        super().__init__()
        self.first = conv(width, width, dilation=dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        return functional.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """(n, 8, h, w) bands -> (n, classes, h / 2, w / 2) logits of "a piece of this class has its foot here"."""

    def __init__(self, classes=5, width=32):
        super().__init__()
        self.stem = conv(8, 16, 2)
        self.down = conv(16, width, 2)
        self.first = Block(width)
        self.wide = nn.Sequential(conv(width, 48, 2), Block(48), nn.Conv2d(48, width, 1))
        self.second = Block(width, 2)
        self.up = nn.Conv2d(width, 16, 1)
        self.last = conv(16, 16)
        self.head = nn.Conv2d(16, classes, 1)
        nn.init.constant_(self.head.bias, -4.0)
        self.stem[0].weight.data[:, 6:] *= LEANS

    def forward(self, x):
        fine = self.stem(x)
        middle = self.first(self.down(fine))
        middle = middle + functional.interpolate(self.wide(middle), scale_factor=2.0, mode="nearest")
        middle = self.second(middle)
        up = functional.interpolate(self.up(middle), scale_factor=2.0, mode="nearest")
        return self.head(self.last(fine + up))


class Streets(nn.Module):
    """(n, 8, ROWS, COLUMNS) what bands show of the streets of a board (`streets.py`) -> (n, 2 * HOUSES) log odds of
    so many houses without a hotel, then of so many with one.

    What is seen of each street tells something of all houses of the board, their size and color; the mean of that, by
    how much each tells, is known when the streets are read.
    """

    def __init__(self, seen=64, told=32):
        super().__init__()
        self.body = nn.Sequential(
            *(conv(8, 32, 2), Block(32), conv(32, 48, 2), Block(48), Block(48), conv(48, 64, 2), Block(64)),
            *(nn.Conv2d(64, 16, 1), nn.ReLU(inplace=True)),
        )
        self.body[0][0].weight.data[:, 6:] *= LEANS
        self.each = nn.Linear(16 * (ROWS // 8) * (COLUMNS // 8), seen)
        self.tells, self.much = nn.Linear(seen, told), nn.Linear(seen, 1)
        self.last = nn.Linear(seen + told, seen)
        self.head = nn.Linear(seen, 2 * HOUSES)

    def forward(self, x):
        each, tells, much = self.seen(x)
        shares = (tells * much).sum(0, keepdim=True) / (much.sum(0, keepdim=True) + FEW)
        # In this way OpenCV repeats it, too.
        return self.told(each, shares + 0 * tells)

    def of_boards(self, x, boards):
        """The same of several boards, as many streets of each, one board after the other."""
        each, tells, much = (said.reshape(boards, -1, said.shape[1]) for said in self.seen(x))
        shares = (tells * much).sum(1, keepdim=True) / (much.sum(1, keepdim=True) + FEW)
        return self.told(each, shares.expand_as(tells)).flatten(0, 1)

    def seen(self, x):
        """(n, seen) what is seen of each street, (n, told) what it tells of all houses, (n, 1) how much, 0-1."""
        each = functional.relu(self.each(functional.dropout(self.body(x).flatten(1), 0.15, self.training)))
        return each, functional.relu(self.tells(each)), torch.sigmoid(self.much(each))

    def told(self, each, board):
        """(..., 2 * HOUSES) by what is seen of each street, and what is told of the board's houses."""
        return self.head(functional.relu(self.last(torch.cat([each, board], -1))))


class Recognizer(nn.Module):
    """(n, 6, 48, 48) middles of crops over what lies under them -> (n, 68): unit vectors, near for the same token; log
    odds of being a cop; and where the token's foot is beside the one that was cropped about, [right, down] in
    `FOOT_PX`, with how far off that may be: the scale of a Laplace distribution less `LEAST_SCALE`, before softplus."""

    def __init__(self, size=64):
        super().__init__()
        self.fine = nn.Sequential(conv(6, FINE), conv(FINE, FINE))
        self.body = nn.Sequential(
            *(conv(6 + FINE, 32, 2), Block(32), Block(32), Block(32)),
            *(conv(32, 64, 2), Block(64), Block(64), Block(64), Block(64)),
            *(conv(64, 128, 2), Block(128), Block(128), Block(128), nn.AvgPool2d(2)),
        )
        self.head = nn.Linear(128 * 9, size)
        self.cop = nn.Linear(128 * 9, 1)
        self.foot = nn.Linear(128 * 9, 3)

    def forward(self, x):
        shown = torch.cat([x, self.fine(x)], 1)
        seen = functional.dropout(self.body(shown).flatten(1), 0.15, self.training)
        y = self.head(seen)
        return torch.cat([y / torch.sqrt((y * y).sum(1, keepdim=True) + 1e-6), self.cop(seen), self.foot(seen)], 1)


class Fallen(nn.Module):
    """(n, 12, 64, 64) crops of tokens over what lies under them, then the same of the tokens as they were enrolled ->
    (n, 1): log odds that they lie."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(6, 24, 2), conv(24, 40, 2), Block(40), conv(40, 64, 2), Block(64), Block(64), nn.AvgPool2d(2)
        )
        self.head = nn.Sequential(nn.Linear(2 * 64 * 16, 32), nn.ReLU(inplace=True), nn.Linear(32, 1))

    def forward(self, x):
        seen = self.body(x.reshape(-1, 6, 64, 64)).reshape(-1, 2 * 64 * 16)
        return self.head(functional.dropout(seen, 0.15, self.training))
