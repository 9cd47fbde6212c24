DROP INDEX "events_search";--> statement-breakpoint
DROP INDEX "markets_final";--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "search" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "whole_hash" text;--> statement-breakpoint
CREATE INDEX "markets_final_seen" ON "markets" USING btree ("final_seen_at","ticker") WHERE final_seen_at is not null;