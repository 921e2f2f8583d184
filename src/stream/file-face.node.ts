/** Files of Node's file system table by table; Arrow files, read into the core's memory as a whole or part by part. */
export { readArrowFileInto } from './read-arrow-file-into.node.js';
export { statisticsOfArrowFile } from './statistics-of-arrow-file.node.js';
export { type TablesOfFileOptions, tablesOfFile } from './tables-of-file.node.js';
