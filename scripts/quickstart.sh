# What the blocks of docs/quickstart.md are written with; `. scripts/quickstart.sh` in a bash that may end on an error.
set -eo pipefail

# A value of the running stack: `stack api_key`.
stack() {
  node -p 'JSON.parse(require("fs").readFileSync(process.argv[1] + "/stack.json"))[process.argv[2]]' \
    "${OVERTURE_LOCAL:-.local}" "$1"
}

# A call of the API as the demo workspace, and one that sends JSON. Both fail with what the service answered.
api() {
  local at=$1
  shift
  curl -sS --fail-with-body -H "Authorization: Bearer ${KEY}" "${BASE}/api/v1${at}" "$@"
}
# The same under version 2.
v2() {
  local at=$1
  shift
  curl -sS --fail-with-body -H "Authorization: Bearer ${KEY}" "${BASE}/api/v2${at}" "$@"
}
json() { api "$@" -H 'content-type: application/json'; }

# One field of a JSON answer (`pick id`, `pick account.id`, `pick 0.id`), or the answer as an error.
pick() {
  node -e '
    const text = require("fs").readFileSync(0, "utf8");
    let value;
    try {
      value = process.argv[1].split(".").reduce((at, name) => at?.[name], JSON.parse(text));
    } catch {}
    if (value === undefined) {
      console.error(text);
      process.exit(1);
    }
    console.log(value);' "$1"
}

# A JSON answer as a person reads it.
show() {
  node -e 'console.dir(JSON.parse(require("fs").readFileSync(0, "utf8")), { depth: 5, maxStringLength: 300, maxArrayLength: 6 })'
}

# Looks once a second, for a minute at most: `until_it_says '"done":true' api /some/path`.
until_it_says() {
  local text=$1 tries answer
  shift
  for ((tries = 0; tries < 60; tries++)); do
    answer=$("$@")
    case $answer in *"$text"*) return ;; esac
    sleep 1
  done
  echo "A minute, and no $text in $answer" >&2
  return 1
}

# Moves the clock of the stack, and with it everything that waits for a time.
advance() {
  curl -sS --fail-with-body -H 'content-type: application/json' "$(stack control_url)/clock" \
    -d "{\"advance_seconds\": $1}" | pick now | sed 's/^/it is now /'
}

# Notes what the last block removes again: a path of the API, or the address of a person.
made() {
  MADE="$1 $MADE"
  echo "made $1"
}

# Removes what was made, the last first. Also when this shell ends, by `exit` or by an error.
clean_up() {
  local each failed=0
  for each in $MADE; do
    case $each in
      *@*) json /leads/erase -d "{\"email\":\"$each\"}" >/dev/null ;;
      /notifications/*) json "$each" -X PUT -d "$PREFERENCES" >/dev/null ;;
      /campaigns/*)
        # One that has ended cannot be paused, and need not.
        json "$each/pause" -X POST >/dev/null 2>&1 || true
        api "$each" -X DELETE >/dev/null
        ;;
      *) api "$each" -X DELETE >/dev/null ;;
    esac && echo "removed $each" || failed=1
  done
  MADE=
  return $failed
}

BASE=$(stack base_url)
KEY=$(stack api_key)
MADE=
# Part of every name, so that a second run meets nothing of the first.
RUN=$(date +%s)
trap clean_up EXIT
echo "API $BASE"
echo "Mailbox $(stack mailbox_url)"
