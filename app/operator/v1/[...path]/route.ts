import { nextHandlers } from '#server/api/nextHandlers.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers;
