"""Figures for statistics.test.ts, by scipy and none of the project's code: python3 reference.py > reference.json

P(best) by adaptive quadrature of one arm's density times the others' distribution functions; E by scipy's binomial
probabilities in long products, block by block.
"""

import json

import numpy as np
from scipy.integrate import quad
from scipy.stats import beta, binom

PRIOR = (1, 25)


def posterior(arm):
    return beta(PRIOR[0] + arm[1], PRIOR[1] + arm[0] - arm[1])


def best(arms):
    out = []
    for i, own in enumerate(arms):
        others = [posterior(o) for j, o in enumerate(arms) if j != i]
        mine = posterior(own)
        f = lambda x: mine.pdf(x) * np.prod([o.cdf(x) for o in others])
        lo, hi = mine.ppf(1e-15), mine.ppf(1 - 1e-15)
        cuts = [mine.ppf(q) for q in (0.01, 0.25, 0.5, 0.75, 0.99)]
        cuts += [o.mean() for o in others if lo < o.mean() < hi]
        out.append(quad(f, lo, hi, points=sorted(cuts), limit=500, epsabs=1e-13)[0])
    return out


def rate(arm):
    return (PRIOR[0] + arm[1]) / (sum(PRIOR) + arm[0])


def ln_e(blocks, i, j):
    past = np.zeros((len(blocks[0]), 2))
    total = 0.0
    for block in blocks:
        pi, pj = rate(past[i]), rate(past[j])
        (ni, ri), (nj, rj) = block[i], block[j]
        if pi > pj and ni > 0 and nj > 0:
            p0 = (ni * pi + nj * pj) / (ni + nj)
            top = binom.logpmf(ri, ni, pi) + binom.logpmf(rj, nj, pj)
            total += top - binom.logpmf(ri, ni, p0) - binom.logpmf(rj, nj, p0)
        past += np.array(block)
    return float(total)


ARMS = [
    [[0, 0], [0, 0]],
    [[50, 2], [50, 3]],
    [[60, 0], [55, 0], [90, 1]],
    [[1000, 20], [1000, 40]],
    [[2500, 50], [700, 14], [800, 17], [4000, 190]],
    [[100000, 3000], [100000, 3100]],
    [[1000000, 30000], [900000, 27200]],
    [[50, 50], [50, 49]],
]
random = np.random.default_rng(20260105)


def chain(rates, days, size):
    return [
        [[int(n), int(random.binomial(n, p))] for p, n in ((p, random.integers(0, size)) for p in rates)]
        for _ in range(days)
    ]


CHAINS = [
    chain([0.02, 0.04], 30, 120),
    chain([0.04, 0.04], 30, 120),
    chain([0.02, 0.03, 0.06], 40, 80),
    chain([0.9, 0.1], 12, 20),
    [[[5, 0], [0, 0]], [[3, 3], [4, 0]], [[7, 7], [6, 0]]],
]

if __name__ == "__main__":
    print(
        json.dumps(
            {
                "best": [{"arms": arms, "best": best(arms)} for arms in ARMS],
                "evidence": [
                    {
                        "blocks": blocks,
                        "ln": [
                            [0 if i == j else ln_e(blocks, i, j) for j in range(len(blocks[0]))]
                            for i in range(len(blocks[0]))
                        ],
                    }
                    for blocks in CHAINS
                ],
            }
        )
    )
