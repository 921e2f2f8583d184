/** What a figure of a verification shows. */
export const VERIFICATION_FIGURES = ['reliability', 'ranks', 'roc', 'skill', 'map'] as const;
