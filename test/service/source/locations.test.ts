import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addLocation,
  listLocations,
  openLocations,
  removeLocation,
} from '../../../src/service/access/location-file.node.js';
import { memoryLocations, type StoredLocation } from '../../../src/service/source/index.js';
import { temporaryFolder } from './temporary-folder.js';

const field = { id: 'demo-field', latitude: 37.3, longitude: -79.84 };

const badLocations: [string, unknown, string][] = [
  ['an empty id', { ...field, id: '' }, 'location: has an unusable id; received ""'],
  ['an id of 65 characters', { ...field, id: 'x'.repeat(65) }, 'location: has an unusable id'],
  ['an id in unicode', { ...field, id: 'fält' }, 'location: has an unusable id'],
  ['an id with a path', { ...field, id: '../x' }, 'location: has an unusable id; received "../x"'],
  ['an id with a line break', { ...field, id: 'x\n' }, 'location: has an unusable id'],
  ['an id that is a number', { ...field, id: 5 }, 'location: has an unusable id; received 5'],
  ['a latitude beyond the pole', { ...field, latitude: 90.001 }, 'location demo-field: latitude is out of range'],
  ['a latitude that is NaN', { ...field, latitude: Number.NaN }, 'latitude is out of range; received NaN'],
  ['a latitude that is a text', { ...field, latitude: '37' }, 'latitude is out of range; received "37"'],
  ['a longitude beyond 180', { ...field, longitude: -180.001 }, 'longitude is out of range'],
  ['an infinite longitude', { ...field, longitude: 1 / 0 }, 'longitude is out of range; received Infinity'],
  ['an owner without a name', { ...field, owner: '' }, 'location demo-field: has an unusable owner'],
];

describe('memoryLocations', () => {
  const store = memoryLocations([field, { ...field, id: 'own', owner: 'Ada' }]);

  it('gives public locations to everybody', () => {
    expect(store.find('demo-field', 'Ada')).toEqual(field);
    expect(store.find('demo-field', 'Bob')).toEqual(field);
  });

  it('gives an owned location to its owner alone', () => {
    expect(store.find('own', 'Ada')).toMatchObject({ id: 'own', owner: 'Ada' });
    expect(store.find('own', 'Bob')).toBeUndefined();
    expect(store.find('own', '')).toBeUndefined();
  });

  it.each(['unknown', '', '../own', 'OWN', '__proto__', 'constructor'])('has no location with the id "%s"', (id) => {
    expect(store.find(id, 'Ada')).toBeUndefined();
  });

  it('accepts ids of 1 and of 64 characters, and places at the limits', () => {
    const limits = [
      { id: 'x', latitude: -90, longitude: -180 },
      { id: `_${'Az09-'.repeat(12)}---`, latitude: 90, longitude: 180 },
      { id: '__proto__', latitude: 0, longitude: 0 },
    ];
    const small = memoryLocations(limits);
    expect(limits.map(({ id }) => small.find(id, 'Ada'))).toEqual(limits);
  });

  it.each(badLocations)('rejects %s', (_, location, message) => {
    expect(() => memoryLocations([location as StoredLocation])).toThrow(message);
  });

  it('rejects an id that occurs twice', () => {
    expect(() => memoryLocations([field, field])).toThrow('location demo-field: occurs twice');
  });
});

describe('the locations of a folder', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const aSecondLater = () => vi.advanceTimersByTime(1000);

  it('are found by an open store a second after they are added, and not a second after they are removed', async () => {
    const dir = temporaryFolder();
    const store = await openLocations(dir);
    await addLocation(dir, { ...field, owner: 'Ada' });
    aSecondLater();
    expect(await store.find(field.id, 'Ada')).toEqual({ ...field, owner: 'Ada' });
    expect(await store.find(field.id, 'Bob')).toBeUndefined();
    await removeLocation(dir, field.id);
    aSecondLater();
    expect(await store.find(field.id, 'Ada')).toBeUndefined();
  });

  it('are listed in the order in which they were added', async () => {
    const dir = temporaryFolder();
    expect(await listLocations(dir)).toEqual([]);
    await addLocation(dir, field);
    await addLocation(dir, { ...field, id: 'a', owner: 'Ada' });
    expect(await listLocations(dir)).toEqual([field, { ...field, id: 'a', owner: 'Ada' }]);
    expect(readdirSync(dir)).toEqual(['locations.json']);
  });

  it('can be added again unchanged, but not changed', async () => {
    const dir = temporaryFolder();
    await addLocation(dir, field);
    await addLocation(dir, { ...field });
    for (const change of [{ latitude: 1 }, { longitude: 1 }, { owner: 'Ada' }]) {
      await expect(addLocation(dir, { ...field, ...change })).rejects.toMatchObject({
        tag: 'option',
        message: expect.stringContaining('location demo-field: there is another location with this id'),
      });
    }
    expect(await listLocations(dir)).toEqual([field]);
  });

  it('are all kept where many are added at once', async () => {
    const dir = temporaryFolder();
    await Promise.all(Array.from({ length: 20 }, (_, i) => addLocation(dir, { ...field, id: `place-${i}` })));
    expect(await listLocations(dir)).toHaveLength(20);
  });

  it.each(badLocations)('are not added with %s', async (_, location, message) => {
    const dir = temporaryFolder();
    await expect(addLocation(dir, location as StoredLocation)).rejects.toThrow(message);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('that are unknown cannot be removed', async () => {
    await expect(removeLocation(temporaryFolder(), 'x')).rejects.toThrow('location: unknown; received "x"');
  });
});
