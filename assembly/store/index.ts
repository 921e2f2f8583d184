export { decodeBlock } from './block';
export { blockChecksum } from './checksum';
export { fillTables, tableBytes } from './unpack';
