// Writes the jobs of the kernels of core/ and of grib/ for both languages: generated/jobs.ts beside the kernels, and
// src/core/generated/jobs.ts and grib-jobs.ts.
//
// A job lies in the module's memory, a word of 32 bits for each field. It is written once; the fields of a group under
// `changes` are written again whenever they change. Kernels read the fields once, when they begin: `assembly/` draws
// what they mean.
import { mkdirSync, writeFileSync } from 'node:fs';

/** The bits that the statistics kernels return. */
const FLAGS = {
  MISSING: { bit: 1, says: 'a member of a result was missing' },
  INFINITE: { bit: 2, says: 'the sum of the other members was infinite' },
};

/**
 * For each kind of job: what kernels read it, the fields that stay, and groups of those that change, each set by a
 * method.
 */
const JOBS = {
  WindowJob: {
    says: 'What the kernels of windows.ts, field-totals.ts and window-rules.ts read.',
    isInOrder: true,
    fields: {
      members: 'usize',
      cellStride: 'usize',
      rowBytes: 'usize',
      spare: 'usize',
      firstDay: 'i32',
      rolling: 'i32',
      rule: 'i32',
      condition: 'usize',
    },
    changes: {
      setTile: { cells: 'i32', windows: 'usize', windowCount: 'i32' },
      setMembers: { memberCount: 'i32', offset: 'usize', dayStride: 'usize', rows: 'usize' },
    },
  },
  StatisticsJob: {
    says: 'What the kernels of statistics.ts and categories.ts read.',
    isInOrder: true,
    fields: {
      rowBytes: 'usize',
      members: 'i32',
      divisors: 'usize',
      required: 'i32',
      plan: 'usize',
      spread: 'i32',
      thresholds: 'usize',
      thresholdCount: 'i32',
      outBytes: 'usize',
    },
    changes: {
      setTile: { rows: 'usize', lanes: 'i32', out: 'usize', counts: 'usize' },
      setCategories: { limits: 'usize', limitCount: 'i32', shares: 'usize' },
    },
  },
  PoolJob: {
    says: 'What the kernels of pools.ts read.',
    fields: {
      samples: 'usize',
      changes: 'usize',
      keys: 'i32',
      required: 'usize',
      plan: 'usize',
      buffers: 'usize',
      bufferBytes: 'usize',
      thresholds: 'usize',
      thresholdCount: 'i32',
      out: 'usize',
      outBytes: 'usize',
      counts: 'usize',
    },
    changes: {},
  },
  MeansJob: {
    says: 'What memberMeansF32 and memberMeansF64 of pairing.ts read.',
    fields: { members: 'usize', memberCount: 'i32', cellStride: 'usize', spans: 'usize', spanCount: 'i32' },
    changes: { set: { offset: 'usize', locations: 'i32' } },
  },
  SeamJob: {
    says: 'What joinMembers of pairing.ts reads.',
    fields: {
      sorted: 'usize',
      trajectories: 'i32',
      laterSorted: 'usize',
      members: 'i32',
      earlier: 'usize',
      earlierOrder: 'usize',
      earlierMembers: 'i32',
      rules: 'usize',
      swaps: 'i32',
      edges: 'usize',
      order: 'usize',
      member: 'usize',
      switchDay: 'usize',
    },
    changes: { set: { locations: 'i32' } },
  },
  GatherJob: {
    says: 'What the kernels of timeline.ts read.',
    fields: {
      members: 'usize',
      cellStride: 'usize',
      shift: 'i32',
      end: 'i32',
      member: 'usize',
      from: 'usize',
      to: 'usize',
      places: 'i32',
      trajectories: 'i32',
      days: 'i32',
      out: 'usize',
      outBytes: 'usize',
    },
    changes: { set: { offset: 'usize', locations: 'i32' } },
  },
  GatherWindowsJob: {
    says: 'What gatherWindows of timeline.ts reads.',
    fields: {
      rowBytes: 'usize',
      runBytes: 'usize',
      member: 'usize',
      places: 'i32',
      trajectories: 'i32',
      out: 'usize',
      outBytes: 'usize',
      outStride: 'usize',
    },
    changes: { set: { rows: 'usize', locations: 'i32' } },
  },
  CopyDaysJob: {
    says: 'What copyDays of timeline.ts reads.',
    fields: { members: 'usize', cellStride: 'usize', bytes: 'usize', outBytes: 'usize', outStride: 'usize' },
    changes: { set: { memberCount: 'i32', offset: 'usize', locations: 'i32', out: 'usize' } },
  },
  SelectDaysJob: {
    says: 'What selectDaysF32 and selectDaysF64 of timeline.ts read.',
    fields: {
      earlier: 'usize',
      earlierStride: 'usize',
      earlierMember: 'usize',
      later: 'usize',
      laterStride: 'usize',
      laterMember: 'usize',
      switchDay: 'usize',
      places: 'i32',
      trajectories: 'i32',
      origin: 'i32',
      rowBytes: 'usize',
      out: 'usize',
      outBytes: 'usize',
    },
    changes: { set: { earlierOffset: 'usize', laterOffset: 'usize', locations: 'i32' } },
  },
  TextJob: {
    says: 'What writeNumbersF32 of numbers.ts reads.',
    fields: { texts: 'usize', out: 'usize', decimals: 'i32', columnCount: 'i32', rows: 'i32' },
    changes: { set: { columns: 'usize', columnBytes: 'usize' } },
  },
};

/** The same for the module of GRIB. */
const GRIB_JOBS = {
  ComplexJob: {
    says: 'What the kernels of complex.ts read.',
    fields: {
      stream: 'usize',
      bytes: 'u32',
      references: 'i32',
      referenceBits: 'u32',
      widths: 'i32',
      widthBits: 'u32',
      smallestWidth: 'u32',
      lengths: 'i32',
      lengthBits: 'u32',
      smallestLength: 'u32',
      lengthStep: 'u32',
      lastLength: 'u32',
      groups: 'i32',
      groupEnd: 'i32',
      count: 'u32',
      place: 'usize',
      missing: 'u32',
      order: 'i32',
      first: 'u32',
      second: 'u32',
      third: 'u32',
      isApart: 'i32',
      minimum: 'i32',
    },
    changes: { setWanted: { wanted: 'u32' } },
  },
  CcsdsJob: {
    says: 'What the kernels of ccsds.ts read.',
    fields: {
      stream: 'usize',
      bytes: 'u32',
      start: 'u32',
      count: 'u32',
      width: 'u32',
      idBits: 'u32',
      blockSize: 'i32',
      intervalBlocks: 'i32',
      isFolded: 'i32',
      isSigned: 'i32',
      isPadded: 'i32',
    },
    changes: {},
  },
};

const HEAD = '// Made by assembly/generate-jobs.mjs. Do not edit.\n';

/** A class without a header: its fields, a word each, lie one after the other. */
function emitKernelSide([name, { says, fields, changes }]) {
  const all = Object.entries(Object.assign({}, fields, ...Object.values(changes)));
  return `/** ${says} */
@unmanaged export class ${name} {
${all.map(([field, type]) => `  ${field}: ${type};`).join('\n')}
}
`;
}

/**
 * A class that writes the fields: those that stay when it is made, by name; each group of those that change by a
 * method.
 */
function emitCallerSide([name, { says, fields, changes, isInOrder }]) {
  const stay = Object.keys(fields);
  const places = [fields, ...Object.values(changes)].flatMap((group) => Object.keys(group));
  const list = (group, prefix = '') => `[${group.map((field) => `${prefix}${field}`).join(', ')}]`;
  const methods = Object.entries(changes).map(([method, group]) => {
    const names = Object.keys(group);
    return `
  ${method}(${names.map((field) => `${field}: number`).join(', ')}): void {
    this.write(${places.indexOf(names[0])}, ${list(names)});
  }
`;
  });
  const byName = `constructor(memory: CoreMemory, fields: { ${stay.map((field) => `readonly ${field}: number`).join('; ')} }) {
    super(memory, ${places.length}, ${list(stay, 'fields.')});
  }`;
  const inOrder = `constructor(memory: CoreMemory, ...fields: ${list(stay.map((field) => `${field}: number`))}) {
    super(memory, ${places.length}, fields);
  }`;
  return `/** ${says} */
export class ${name} extends KernelJob {
  /** Takes scratch from the core's memory. */
  ${isInOrder ? inOrder : byName}
${methods.join('')}}
`;
}

/** Writes the parts of a generated file. */
function write(folder, name, parts) {
  const url = new URL(folder, import.meta.url);
  mkdirSync(url, { recursive: true });
  writeFileSync(new URL(name, url), [HEAD, ...parts].join('\n'));
}

function emitFlags(type) {
  return Object.entries(FLAGS).map(([name, { bit, says }]) => {
    return `/** A flag: ${says}. */\nexport const ${name}${type} = ${bit};\n`;
  });
}

const IMPORTS = "import { type CoreMemory, KernelJob } from '../memory.js';\n";
const jobs = Object.entries(JOBS);
const gribJobs = Object.entries(GRIB_JOBS);
write('./core/generated/', 'jobs.ts', [...emitFlags(': i32'), ...jobs.map(emitKernelSide)]);
write('./grib/generated/', 'jobs.ts', gribJobs.map(emitKernelSide));
write('../src/core/generated/', 'jobs.ts', [IMPORTS, ...emitFlags(''), ...jobs.map(emitCallerSide)]);
write('../src/core/generated/', 'grib-jobs.ts', [IMPORTS, ...gribJobs.map(emitCallerSide)]);
