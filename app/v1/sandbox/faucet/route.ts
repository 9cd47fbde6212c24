import { mountRoute } from '#server/api/nextMount.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountRoute();
