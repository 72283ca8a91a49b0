import { expectOneOrder } from './expectOneOrder.ts';

expectOneOrder(Array.from({ length: 20 }, (_, index) => 160 + index));
