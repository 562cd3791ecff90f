/** Pages whose bytes are no UTF-8; Node writes no other encodings. */

/** 桜精機株式会社, a maker of gears in Osaka, in Shift_JIS; only the page itself says so. */
export const SHIFT_JIS_PAGE = Buffer.from(
  `PCFkb2N0eXBlIGh0bWw+PGh0bWwgbGFuZz0iamEiPjxoZWFkPjxtZXRhIGNoYXJzZXQ9IlNoaWZ0X0pJUyI+PHRpdGxl
   Po33kLiLQIqUjq6J747QPC90aXRsZT4KPG1ldGEgbmFtZT0iZGVzY3JpcHRpb24iIGNvbnRlbnQ9IjE5NTiUTpFui8aC
   zJC4lqeOlY7Ug4GBW4NKgVsiPjwvaGVhZD48Ym9keT48aGVhZGVyPjxhIGhyZWY9Ii9hYm91dCI+ie+O0IpUl3Y8L2E+
   PC9oZWFkZXI+CjxtYWluPjxoMT6N95C4i0CKlI6uie+O0DwvaDE+PHA+jfeQuItAgs0xOTU4lE6CyZHljeOCxZFui8aC
   tYK9kLiWp46VjtSDgYFbg0qBW4LFgreBQo9di8aI9YLNMjQwlryCxYFBkKKKRTE3gqmNkYLMg42De4Nig2eDgYFbg0qB
   W4LJlZSVaYLwi5+Li4K1gsSCooLcgreBQjwvcD4KPHA+MjAyNpROM4yOgUGTlo7Qgs2T3pfHgsmR5o5PjUiP6oLwikqQ
   3YK1gUGMjo5ZMTKWnIzCgsyQto5ZlFyXzYLwlPWCpoLcgrWCvYFCkFaNSI/qgsWCzZG+l3qM9ZStk2SCxpJuibqQhYLJ
   guaC6Zfii3CC8I3Ml3CCtYFBk2SXzY5nl3CXyoLwj12XiILMjUiP6oLmguiObIqEjLiC54K1gsSCooLcgreBQjwvcD4K
   PHA+kW6Lxo7SgsyN94jkkL2CzY6ejHaQRZBsgsyJxoLJkLaC3ILqgUGOlY7UgsyJuYLwlbeCq5Wqgq+C6YKxgsaCxZJt
   gueC6oLEgqKC3IK1gr2BQoKigtyC4JFTkLuVaYLMjcWPSYyfjbiCzZBsgsyOqILFjXOC7YLqgtyCt4FCPC9wPgo8dWw+
   PGxpPo7ll82Qu5VpgUaUZ5OujpWO1Iy4kayLQDwvbGk+PGxpPpHjlVyO5pL3lvCBRo33iOQgkL08L2xpPjwvdWw+PC9t
   YWluPjwvYm9keT48L2h0bWw+`,
  "base64",
);

/** Вектор Логистика of Yekaterinburg, in windows-1251, as the header says. */
export const CYRILLIC_PAGE = Buffer.from(
  `PGh0bWw+PGhlYWQ+PHRpdGxlPsLl6vLu8CDL7uPo8fLo6uA8L3RpdGxlPjwvaGVhZD48Ym9keT48aDE+wuXq8u7wIMvu
   4+jx8ujq4DwvaDE+PHA+yu7s7+Dt6P8g7vHt7uLg7eAg4iAyMDA0IOPu5PMg4iDF6uDy5fDo7eHz8OPlLiDM+yDv5fDl
   4u7n6Owg4/Dz5/sg7+4gMzgg8OXj6O7t4Owg6CDi6+Dk5eXsIO/g8Oru7CDo5yAzMTAg7OD46O0uPC9wPgo8cD7CIOzg
   5SAyMDI2IOPu5OAg7Psg7vLq8Pvr6CDx6uvg5CDv6+754OT8/iAyNCAwMDAg6uLg5PDg8u379SDs5fLw7uIg4iDP5fDs
   6Cwg4+TlIPDg4e7y4P7yIDE4MCD35evu4uXqLCDoIOfg7/Px8ujr6CDt7vft++Ug8OXp8fsg4iDK4Ofg7fwuPC9wPjwv
   Ym9keT48L2h0bWw+`,
  "base64",
);
