import { Option } from 'commander';

/** `--store` */
export function storeOption(): Option {
  return new Option('--store <dir>', 'folder of the store').makeOptionMandatory();
}
