"""Keeps a copy of the registrations in SQLite with httpx. Run it again to read what changed; with `full` it reads everything anew."""
import json, os, sqlite3, sys
import httpx

client = httpx.Client(
    base_url=os.environ["VITRINE_URL"] + "/api/public/v1",
    headers={"Authorization": "Bearer " + os.environ["VITRINE_KEY"]},
    transport=httpx.HTTPTransport(retries=3),
    timeout=30,
)
copy = sqlite3.connect("copy.sqlite")
copy.executescript(
    "CREATE TABLE IF NOT EXISTS records (id TEXT PRIMARY KEY, record TEXT);"
    "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value)"
)
state = dict(copy.execute("SELECT name, value FROM state"))


def crawl(since):
    """The records of all pages, and the meta of the last one."""
    params, records = {"limit": 100, **({"updatedSince": since} if since else {})}, []
    while True:
        answer = client.get("/registrations", params=params)
        answer.raise_for_status()
        page = answer.json()
        records += page["data"]
        # A page without records can have a cursor; only null ends the crawl.
        if page["meta"]["cursor"] is None:
            return records, page["meta"]
        params = {"limit": 100, "cursor": page["meta"]["cursor"]}


full = "full" in sys.argv or not state
records, meta = crawl(None if full else state["since"])
if not full and meta["epoch"] > state["epoch"]:
    full, (records, meta) = True, crawl(None)
with copy:
    if full:
        copy.execute("DELETE FROM records")
    copy.executemany("REPLACE INTO records VALUES (?, ?)", [(one["id"], json.dumps(one)) for one in records])
    values = {"since": meta["nextUpdatedSince"], "epoch": meta["epoch"]}
    copy.executemany("REPLACE INTO state VALUES (?, ?)", values.items())
print(f"{len(records)} records read")
