// Slow: each kind has a server of its own, which starts with what is stored.
import { takeThird } from '../support/takeThird.ts';
import { expectToStartWith } from './stored/expectToStartWith.ts';
import { storedEntries } from './stored/hostileStored.ts';

expectToStartWith(takeThird(storedEntries, 'others'));
