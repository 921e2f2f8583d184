"""Scores of ensembles by libraries of Python, one thread each.

    skill.py FILE MEMBERS CASES BLOCK LIMIT ROUNDS

FILE holds float64: a row of CASES for each member, and then the observations. A library is given BLOCK cases at a time, in
the order that it likes best, which is made before the timing starts: all at once would need many times the memory. Prints a
line of JSON for each library and score: seconds of the processor over all blocks, the least of the rounds.
"""

import importlib.metadata
import json
import os
import sys
import time
import warnings

for name in ["OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"]:
    os.environ[name] = "1"
warnings.simplefilter("ignore")
import numpy as np
import properscoring
import scores.probability
import scoringrules
import xarray as xr
import xskillscore

path, members, cases, block, limit, rounds = sys.argv[1:]
members, cases, block, limit, rounds = int(members), int(cases), int(block), float(limit), int(rounds)
values = np.memmap(path, "<f8", "r", shape=(members + 1, cases))

WAYS = {
    ("properscoring", "CRPS"): lambda x: properscoring.crps_ensemble(x.observed, x.last),
    ("scoringrules", "CRPS"): lambda x: scoringrules.crps_ensemble(x.observed, x.last, estimator="qd"),
    ("scoringrules", "fair CRPS"): lambda x: scoringrules.crps_ensemble(x.observed, x.last, estimator="fair"),
    ("xskillscore", "CRPS"): lambda x: xskillscore.crps_ensemble(x.obs, x.forecast, dim=[]),
    ("scores", "CRPS"): lambda x: scores.probability.crps_for_ensemble(x.forecast, x.obs, "member", method="ecdf", preserve_dims="all"),
    ("scores", "fair CRPS"): lambda x: scores.probability.crps_for_ensemble(x.forecast, x.obs, "member", method="fair", preserve_dims="all"),
    ("xskillscore", "rank histogram"): lambda x: xskillscore.rank_histogram(x.obs, x.forecast, dim="case", member_dim="member"),
    ("properscoring", "Brier score"): lambda x: properscoring.threshold_brier_score(x.observed, x.last, limit),
    ("scores", "Brier score"): lambda x: scores.probability.brier_score_for_ensemble(x.forecast, x.obs, "member", limit, fair_correction=False),
    ("scores", "fair Brier score"): lambda x: scores.probability.brier_score_for_ensemble(x.forecast, x.obs, "member", limit, fair_correction=True),
    ("xskillscore", "Brier score"): lambda x: xskillscore.threshold_brier_score(x.obs, x.forecast, limit, dim="case", member_dim="member"),
}


class Block:
    def __init__(self, begin):
        self.observed = np.array(values[-1, begin : begin + block])
        self.last = np.ascontiguousarray(values[:-1, begin : begin + block].T)
        self.forecast = xr.DataArray(np.array(values[:-1, begin : begin + block]), dims=["member", "case"])
        self.obs = xr.DataArray(self.observed, dims=["case"])


first = Block(0)
best = {}
for way, run in WAYS.items():
    run(first)  # compiles
for _ in range(rounds):
    spent = dict.fromkeys(WAYS, 0.0)
    for begin in range(0, cases, block):
        data = Block(begin)
        for way, run in WAYS.items():
            start = time.process_time()
            run(data)
            spent[way] += time.process_time() - start
    best = {way: min(best.get(way, np.inf), seconds) for way, seconds in spent.items()}
for (library, score), seconds in best.items():
    print(json.dumps({"library": library, "version": importlib.metadata.version(library), "score": score, "seconds": seconds}))
