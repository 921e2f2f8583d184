/** Arrow files of Node's file system, read into the core's memory as a whole or part by part. */
export { readArrowFileInto } from './read-arrow-file-into.node.js';
export { statisticsOfArrowFile } from './statistics-of-arrow-file.node.js';
