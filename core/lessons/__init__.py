"""The lessons: Markdown files whose questions the live model answers.

`parsing` reads a file of the folder `lessons/` into frozen records. Its questions have keys: small
expression trees (`expressions`), which are evaluated (`keys`) over the records of a model
(`model_records`).
`operations` lists all operations of an expression, and `planning` makes a lesson of 45 minutes for a
class. The file 00 is the route, a lesson of scenes that ask nothing. `courses` makes sessions out of
lessons, and `misconceptions` lists what wrong answers show. Nothing in a file is ever run as
code. docs/lessons.md says how a teacher writes one.
"""

from .courses import Course, Session, courses, find_course
from .expressions import BadExpression, Value, evaluate, parse
from .keys import Answer, Bindings, answer, holds
from .misconceptions import BadMisconceptions, Misconception, misconceptions_of
from .model_records import OfModel, Records, TaskRecords, TranslatorRecords
from .parsing import (
    BadLesson,
    Check,
    Choice,
    Click,
    Lesson,
    Level,
    Mark,
    Number,
    Step,
    Watch,
    find,
    language_of,
    lessons,
    misconceptions,
    read,
    readable,
    route,
)
from .planning import Phase, plan
from .slides import Slide

__all__ = [
    "Answer",
    "BadExpression",
    "BadLesson",
    "BadMisconceptions",
    "Bindings",
    "Check",
    "Choice",
    "Click",
    "Course",
    "Lesson",
    "Level",
    "Mark",
    "Misconception",
    "Number",
    "OfModel",
    "Phase",
    "Records",
    "Session",
    "Slide",
    "Step",
    "TaskRecords",
    "TranslatorRecords",
    "Value",
    "Watch",
    "answer",
    "courses",
    "evaluate",
    "find",
    "find_course",
    "holds",
    "language_of",
    "lessons",
    "misconceptions",
    "misconceptions_of",
    "parse",
    "plan",
    "read",
    "readable",
    "route",
]
