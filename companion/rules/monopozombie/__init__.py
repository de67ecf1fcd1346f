"""MonopoZombie (clauses MZ): one module per section of its rules document.

state, events: the vocabulary
standing: who is where, on whose ground
building: MZ-2; demolition: MZ-7; stages: MZ-1.2, MZ-8; winning: MZ-11
conversion: MZ-4; meeting: MZ-6, battles and shelters of MZ-12; moves: MZ-6.12
homeless: MZ-3; zombies: MZ-5; apocalypse: MZ-9; groups: MZ-10; considered: the rest of MZ-12
rules: MZ-1, the options
"""

from companion.rules.monopozombie.rules import MonopoZombie

__all__ = ["MonopoZombie"]
