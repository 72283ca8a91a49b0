import { describe, expect, test } from 'vitest';
import type { ControllerRoom } from '../../lambdas/controllers/ControllerRoom.ts';
import { CONTROLLER_NAMES, controllerRooms, roomNamed } from '../../lambdas/controllers/controllerRooms.ts';

const ROOMS: readonly ControllerRoom[] = controllerRooms;

test('no two rooms answer to the same name', () => {
  const names = ROOMS.flatMap(({ name, shortNames = [] }) => [name, ...shortNames]);
  expect(names).toEqual([...new Set(names)]);
});

test('a name that only another release knows has no room', () => {
  expect(roomNamed('constructor')).toBeUndefined();
});

describe.each(CONTROLLER_NAMES)('the room of %s', (name) => {
  const room = roomNamed(name);

  test('has a name that queues and keys can hold', () => {
    expect(name).toMatch(/^[a-z]+$/);
  });

  test('words its reasons as phrases, which begin with a small letter and have no full stop', () => {
    const phrases = Object.values(room?.reasons ?? {}).flatMap((words) =>
      words.length === 0 ? [(words as () => string)()] : [],
    );
    expect(phrases.filter((phrase) => !/^(?:[a-z]|Recreate).*[^.]$/.test(phrase))).toEqual([]);
  });
});
