export { blend, pairMembers, type Timeline } from './blend.js';
export { blendFields, blendInGroups, type PairFieldsOptions, pairFields } from './blend-fields.js';
export { type BlendVariablesOptions, blendVariables } from './blend-variables.js';
export type { Horizon } from './horizon.js';
export type { BlendOptions } from './options.js';
export { type BlendMethod, horizonShares, type Pairing, type SeamPairing } from './pairing.js';
export type { HorizonDays, PlanOptions, SeamDays, TimelinePlan } from './plan-timeline.js';
export { type SeamReport, seamReport } from './seam-report.js';
export type { TimelineGroup } from './timeline-groups.js';
