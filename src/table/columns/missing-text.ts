/**
 * Texts that stand for a missing value or date, without blanks around: what pandas, R, NumPy, SQL and spreadsheets write
 * for one. Other errors of spreadsheets (`#DIV/0!`) are no missing values, but mistakes.
 */
export const MISSING_TEXT = /^(-|#?n\/?a|<na>|#n\/a n\/a|[+-]?(nan|1\.#(ind|qnan))|nat|null|none)?$/i;
