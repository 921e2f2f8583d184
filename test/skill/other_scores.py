"""Scores by scoringrules, properscoring, xskillscore, scores, scipy and statsmodels: JSON in, JSON out."""
import json
import sys
import warnings

warnings.simplefilter("ignore")
import numpy as np
import properscoring
import scores.categorical  # noqa: F401
import scores.continuous
import scores.probability
import scoringrules
import statsmodels.stats.multitest
import xarray as xr
import xskillscore
from scipy import stats

given = json.load(open(sys.argv[1]))
members = np.array(given["members"])  # member, case
observed = np.array(given["observations"])
limit, terciles, quantile = given["limit"], given["terciles"], given["quantile"]
last = members.T
forecast = xr.DataArray(members, dims=["member", "case"])
obs = xr.DataArray(observed, dims=["case"])
n = len(members)

event = xr.DataArray(observed > limit, dims=["case"])
share = (forecast > limit).mean("member")
probabilities = np.arange(n + 1) / n
edges = np.concatenate([[-0.5 / n], probabilities + 0.5 / n])
table = xskillscore.reliability(event, share, dim="case", probability_bin_edges=edges)
# A warning from a probability on; xskillscore counts bins from their lower edges.
roc = xskillscore.roc(event, share, bin_edges=np.concatenate([[-1e-9], probabilities - 0.5 / n + 1e-9, [1.1]]), dim="case", return_results="area")
contingency = None
limits = np.array(terciles)
rps = xskillscore.rps(obs, forecast, xr.DataArray(limits, dims=["category_edge"], coords={"category_edge": limits}), dim="case", member_dim="member")
fair_rps = xskillscore.rps(obs, forecast, xr.DataArray(limits, dims=["category_edge"], coords={"category_edge": limits}), dim="case", member_dim="member", fair=True)
histogram = xskillscore.rank_histogram(obs, forecast, dim="case", member_dim="member").values
brier = scores.probability.brier_score_for_ensemble(forecast, obs, "member", limit, event_threshold_operator=__import__("operator").gt, fair_correction=False)
fair_brier = scores.probability.brier_score_for_ensemble(forecast, obs, "member", limit, event_threshold_operator=__import__("operator").gt, fair_correction=True)
mean = members.mean(axis=0)
quantiles = np.quantile(members, quantile, axis=0)
json.dump({
    "crps": {
        "scoringrules": scoringrules.crps_ensemble(observed, last, estimator="nrg").tolist(),
        "scoringrules, quantile decomposition": scoringrules.crps_ensemble(observed, last, estimator="qd").tolist(),
        "properscoring": properscoring.crps_ensemble(observed, last).tolist(),
        "xskillscore": xskillscore.crps_ensemble(obs, forecast, dim=[]).values.tolist(),
        "scores": scores.probability.crps_for_ensemble(forecast, obs, "member", method="ecdf", preserve_dims="all").values.tolist(),
    },
    "fairCrps": {
        "scoringrules": scoringrules.crps_ensemble(observed, last, estimator="fair").tolist(),
        "scores": scores.probability.crps_for_ensemble(forecast, obs, "member", method="fair", preserve_dims="all").values.tolist(),
    },
    "brier": {
        "properscoring": float(properscoring.threshold_brier_score(observed, last, limit).mean()),
        "scores": float(brier.mean()),
        "xskillscore": float(xskillscore.brier_score(event, share, dim="case")),
        "scoringrules": float(np.mean(scoringrules.brier_score(event.values.astype(float), share.values))),
    },
    "fairBrier": {"scores": float(fair_brier.mean())},
    "rocArea": {"xskillscore": float(roc)},
    "reliability": {"probability": probabilities.tolist(), "observed": [None if np.isnan(v) else v for v in table.values.tolist()], "cases": table["samples"].values.tolist()},
    "rps": {"xskillscore": float(rps), "scoringrules": None},
    "fairRps": {"xskillscore": float(fair_rps)},
    "ranks": histogram.tolist(),
    "chiSquare": list(stats.chisquare(histogram)),
    "bias": {"scores": float(scores.continuous.additive_bias(xr.DataArray(mean), xr.DataArray(observed)))},
    "mae": {"xskillscore": float(xskillscore.mae(forecast.mean("member"), obs, dim="case"))},
    "rmse": {"xskillscore": float(xskillscore.rmse(forecast.mean("member"), obs, dim="case"))},
    "correlation": {"scipy": float(stats.pearsonr(mean, observed)[0]), "xskillscore": float(xskillscore.pearson_r(forecast.mean("member"), obs, dim="case"))},
    "quantileScore": {
        "scoringrules": float(np.mean(scoringrules.quantile_score(observed, quantiles, quantile))),
        "scores": float(scores.continuous.quantile_score(xr.DataArray(quantiles), xr.DataArray(observed), alpha=quantile)),
    },
    "falseDiscoveries": statsmodels.stats.multitest.multipletests(given["pValues"], alpha=0.2, method="fdr_bh")[0].tolist(),
    "tails": [float(stats.chi2.sf(x, k)) for x, k in given["tails"]],
}, sys.stdout)
