//! Shell prompts with their commands, and lines that name the file which follows.

/// Commands that people show with their output. A first word that is none of these makes no prompt of a `#`.
const COMMANDS: [&str; 40] = [
    "adb",
    "awk",
    "bpftrace",
    "cat",
    "cd",
    "column",
    "cut",
    "dmesg",
    "doas",
    "echo",
    "egrep",
    "find",
    "for",
    "free",
    "grep",
    "head",
    "journalctl",
    "less",
    "ls",
    "make",
    "more",
    "perf",
    "printf",
    "python3",
    "sed",
    "sh",
    "slabinfo",
    "slabtop",
    "sort",
    "ssh",
    "su",
    "sudo",
    "swapon",
    "tail",
    "tee",
    "time",
    "trace-cmd",
    "watch",
    "zcat",
    "zramctl",
];

/// The prompt and the command on a line.
pub(super) fn command(line: &str) -> Option<(&str, &str)> {
    if let Some(rest) = line.strip_prefix("$ ") {
        return Some(("", rest.trim()));
    }
    // Anything that looks like a prompt ends within these; longer lines are data.
    let mut end = line.len().min(100);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let head = &line[..end];
    for (at, mark) in
        head.char_indices().filter(|&(_, c)| matches!(c, '$' | '#' | '%' | '>' | '\u{276f}' | '\u{279c}'))
    {
        let (prompt, rest) = (line[..at].trim(), &line[at + mark.len_utf8()..]);
        let command = rest.trim();
        let known = starts_with_command(command);
        let is_prompt = match mark {
            '$' | '#' => {
                (is_user_prompt(prompt) && (rest.is_empty() || rest.starts_with(' ')))
                    || (known && prompt.split(' ').count() <= 2)
            }
            '%' => known && prompt.split(' ').count() <= 2,
            '>' => known && (prompt.contains(":\\") || prompt.contains('@')),
            _ => known || (prompt.is_empty() && command.split(' ').any(starts_with_command)),
        };
        if is_prompt {
            return Some((prompt, command));
        }
    }
    let is_bare = starts_with_command(line) && line.contains('/') && !line.contains(" : ");
    is_bare.then_some(("", line))
}

fn starts_with_command(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    let word = word.rsplit('/').next().unwrap_or(word);
    COMMANDS.binary_search(&word).is_ok() || (text.starts_with("./") && word.len() > 2)
}

/// `root@host:/sys/block`, `[root@host kmalloc-512]`, `127|root@android:/`.
fn is_user_prompt(prompt: &str) -> bool {
    let inside = prompt.strip_prefix('[').and_then(|inside| inside.strip_suffix(']')).unwrap_or(prompt);
    let Some((user, host)) = inside.split_once('@') else { return false };
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.|()".contains(&byte);
    !user.is_empty() && user.bytes().all(is_user) && !host.contains('=') && host.split(' ').count() <= 3
}

/// The file that a line names and nothing else: `==> path <==`, `/proc/slabinfo:`, `### /proc/slabinfo ###`.
pub(super) fn label(line: &str) -> Option<&str> {
    if let Some(path) = line.strip_prefix("==>").and_then(|rest| rest.strip_suffix("<==")) {
        return Some(path.trim()).filter(|path| !path.is_empty());
    }
    let path = line.trim_matches([' ', '#', '*', '=', '-', ':', '<', '>', '`', '"', '\'', '|']);
    let is_path = path.contains('/')
        && !path.contains([' ', '=', '(', '[', ':', '%', ','])
        && path.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_named = path.starts_with(['/', '.']) || path.contains("/zram") || path.contains("/zswap");
    (is_path && (is_named || line.ends_with(':'))).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_found() {
        for (line, prompt, said) in [
            ("root@device:/ # cat /sys/block/zram0/mm_stat", "root@device:/", "cat /sys/block/zram0/mm_stat"),
            ("root@device:/ #", "root@device:/", ""),
            ("[root@host kmalloc-512]# cat cpu_slabs", "[root@host kmalloc-512]", "cat cpu_slabs"),
            ("127|root@android:/ # zram_stats", "127|root@android:/", "zram_stats"),
            ("$ sudo grep -r . /sys", "", "sudo grep -r . /sys"),
            ("# cat /proc/slabinfo", "", "cat /proc/slabinfo"),
            ("#cat /proc/slabinfo", "", "cat /proc/slabinfo"),
            ("~ # cat x", "~", "cat x"),
            ("sh-5.1# cat x", "sh-5.1", "cat x"),
            ("\u{279c}  slab cat order", "", "slab cat order"),
            ("C:\\adb>adb shell cat /proc/slabinfo", "C:\\adb", "adb shell cat /proc/slabinfo"),
            ("cat /proc/slabinfo shows:", "", "cat /proc/slabinfo shows:"),
            ("root@host:~# /usr/bin/slabtop -o", "root@host:~", "/usr/bin/slabtop -o"),
        ] {
            assert_eq!(command(line), Some((prompt, said)), "{line}");
        }
    }

    #[test]
    fn data_is_no_prompt() {
        for line in [
            "# name            <active_objs> <num_objs>",
            "dentry 1 2 3 4 5 : tunables 0 0 0",
            "@bytes[cat]: 5",
            "cat_cache 1 2 3",
            "# Objects : 5",
            "#Objects 5 6",
            "50% 5 $ 3",
            "\u{e9}# x",
            "",
        ] {
            assert_eq!(command(line), None, "{line}");
        }
    }

    #[test]
    fn names_of_files_are_found() {
        for (line, path) in [
            ("==> /sys/block/zram0/mm_stat <==", "/sys/block/zram0/mm_stat"),
            ("==> :t-0000256/order <==", ":t-0000256/order"),
            ("/sys/block/zram0", "/sys/block/zram0"),
            ("/proc/slabinfo:", "/proc/slabinfo"),
            ("### /proc/slabinfo ###", "/proc/slabinfo"),
        ] {
            assert_eq!(label(line), Some(path), "{line}");
        }
        for line in ["403/10/9", "a /b c", "x: /dev/zram0", "Slabs/Part/Cpu", "==><", "", "--- a/x 2024"] {
            assert_eq!(label(line), None, "{line}");
        }
    }

    #[test]
    fn the_table_of_commands_is_sorted() {
        assert!(COMMANDS.is_sorted());
    }
}
