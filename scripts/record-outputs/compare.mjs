/** What differs between two records, as lines to read. */

/** `differs` is whether anything but words does. */
export function compareRecords(before, after, showsWords) {
  const lines = [];
  let [same, different, words] = [0, 0, 0];
  for (const line of before.skipped.filter((one) => !after.skipped.includes(one)))
    lines.push(`only the older record ${line}`);
  for (const line of after.skipped.filter((one) => !before.skipped.includes(one)))
    lines.push(`only the newer record ${line}`);
  if (before.node !== after.node) lines.push(`Node differs: ${before.node}, then ${after.node}`);
  for (const name of namesOf(before.cases, after.cases)) {
    const [older, newer] = [before.cases[name], after.cases[name]];
    const found = older === undefined || newer === undefined ? [missing(older)] : differences(older, newer);
    if (found.length > 0)
      lines.push(name.length > 300 ? `${name.slice(0, 300)}...` : name, ...found.map((line) => `    ${line}`));
    if (found.length > 0) different++;
    else same++;
    if (older?.words !== newer?.words) {
      words++;
      if (showsWords) lines.push(`${name}: words`, `  - ${older?.words}`, `  + ${newer?.words}`);
    }
  }
  const hint = showsWords ? '' : ' (--words shows them)';
  lines.push(`${same} cases are the same, ${different} differ; words differ in ${words}${hint}`);
  return { lines, differs: different > 0 };
}

function namesOf(...records) {
  return [...new Set(records.flatMap((cases) => Object.keys(cases)))].sort();
}

function missing(older) {
  return older === undefined ? 'is only in the newer record' : 'is only in the older record';
}

function differences(older, newer) {
  return namesOf(older, newer)
    .filter((fact) => fact !== 'words' && older[fact] !== newer[fact])
    .map((fact) => `${fact}: ${older[fact] ?? 'none'}, then ${newer[fact] ?? 'none'}`);
}
