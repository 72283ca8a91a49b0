import type { Mutation } from './Mutation.ts';

/** Defects of what serves a watch. */
export const WATCH_MUTATIONS: readonly Mutation[] = [
  {
    name: 'bookmarks-never-sent',
    what: 'a watch never sends a bookmark, so a client of quiet objects falls behind what the log keeps',
    seams: () => ({
      watch: (watch) =>
        async function* withoutBookmarks(...given) {
          for await (const events of watch(...given)) {
            const others = events.filter(({ type }) => type !== 'BOOKMARK');
            if (others.length > 0) yield others;
          }
        },
    }),
  },
];
