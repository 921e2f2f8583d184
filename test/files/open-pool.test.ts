import { describe, expect, it } from 'vitest';
import { OpenPool } from '../../src/files/open-pool.js';

/** A system that has so many files open at most, and what is open in it. */
function system(limit: number) {
  const open = new Set<number>();
  return {
    open,
    access: async (index: number) => {
      if (open.size >= limit) throw Object.assign(new Error('too many'), { code: 'EMFILE' });
      open.add(index);
      return {
        index,
        close: async () => {
          open.delete(index);
        },
      };
    },
  };
}

const isFull = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EMFILE';

describe('a pool of open files', () => {
  it('keeps at most so many open besides the ones in use, and opens others again', async () => {
    const { open, access } = system(100);
    const pool = new OpenPool(access, 3);
    for (const index of [0, 1, 2, 3, 0, 4]) expect(await pool.use(index, async (file) => file.index)).toBe(index);
    expect([...open].sort()).toEqual([0, 3, 4]);
    await pool.close();
    expect(open.size).toBe(0);
  });

  it('keeps fewer open where the system has no more', async () => {
    const { open, access } = system(10);
    const pool = new OpenPool(access, 512, isFull);
    for (let index = 0; index < 40; index++) expect(await pool.use(index, async (file) => file.index)).toBe(index);
    expect(open.size).toBeLessThanOrEqual(5);
    await pool.close();
    expect(open.size).toBe(0);
  });

  it('says so where all of these are in use', async () => {
    const { access } = system(2);
    const pool = new OpenPool(access, 512, isFull);
    const nested = pool.use(0, () => pool.use(1, () => pool.use(2, async () => 0)));
    await expect(nested).rejects.toThrow('too many');
    await pool.close();
  });

  it('closes what is in use, or still opened, when its work has ended', async () => {
    const { open, access } = system(10);
    let goOn = () => {};
    const later = new Promise<void>((done) => {
      goOn = done;
    });
    const pool = new OpenPool(async (index) => {
      if (index === 1) throw new Error('is not there');
      await later;
      return access(index);
    });
    const others = [0, 2].map((index) => pool.use(index, async (file) => file.index));
    await expect(pool.use(1, async () => 0)).rejects.toThrow('is not there');
    await pool.close();
    goOn();
    expect(await Promise.all(others)).toEqual([0, 2]);
    expect(open.size).toBe(0);
  });
});
